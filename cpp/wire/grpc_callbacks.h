// SPDX-License-Identifier: Apache-2.0
// Functions of the program, called through the servers that the SDKs run (row 9.6). One channel per server, kept.
// Loop thread.
#pragma once

#include "wire/wire.h"

#include <list>
#include <map>
#include <memory>
#include <string>

#include "base/loop.h"
#include "kingpost/callbacks.h"
#include "pulumi/callback.grpc.pb.h"
#include "pulumi/resource.pb.h"
#include "wire/channel.h"

namespace kingpost {

class GrpcCallbacks : public Callbacks {
 public:
  // `workers` reads the files of assets that transforms make; their paths are relative to `working_directory`.
  GrpcCallbacks(Loop& loop, WorkerPool& workers, std::string working_directory);

  Task<Result<RegisterResourceRequest>> Transform(Callback callback, RegisterResourceRequest request) override;
  Task<Result<TransformInvokeResponse>> TransformInvoke(Callback callback, TransformInvokeRequest request) override;
  Task<Status> RunHook(Callback callback, ResourceHookRequest request) override;
  Task<Result<bool>> RunErrorHook(Callback callback, ErrorHookRequest request) override;
  Task<Result<StateMigrationResponse>> MigrateState(Callback callback, StateMigrationRequest request) override;

  // Calls under way and all later ones fail: a function of a program in this process may never return.
  void GiveUp();

 private:
  using Stub = pulumirpc::Callbacks::Stub;

  // Sends one message to the function and reads the other from its answer. `what` names them in errors.
  template <class Request, class Response>
  Task<Result<Response>> Ask(Callback callback, std::string what, Request request);
  Stub& StubFor(const std::string& target);

  Loop& loop_;
  WorkerPool& workers_;
  std::string working_directory_;
  std::map<std::string, std::unique_ptr<Stub>> stubs_;  // by target
  std::list<std::weak_ptr<PendingCall>> under_way_;
  bool given_up_ = false;
};

}  // namespace kingpost
