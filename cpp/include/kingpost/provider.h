// SPDX-License-Identifier: Apache-2.0
// Provider: one plugin instance that manages resources (group 8). A seam: gRPC plugins, Python objects and
// scripted fakes implement it.
//
// Every method is called on the engine thread and answers there, possibly much later. Implementations do not
// block the engine thread. A failed operation answers with a Status whose message is the provider's own text,
// without transport decoration; a partially failed Create, Update or Read carries an InitFailed detail.
// Values passed in may hold secrets, unknowns, references and (Construct, Call) outputs; an implementation
// removes what the plugin does not understand and restores secretness afterwards (rows 8.5, 8.6).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/task.h"
#include "kingpost/provider_values.h"

namespace kingpost {

class Provider {
 public:
  virtual ~Provider() = default;

  virtual const ProviderFeatures& features() const = 0;  // complete after Configure
  virtual std::string version() const = 0;               // of the loaded plugin, "" if not known

  virtual Task<Result<std::pair<std::string, std::string>>> Parameterize(Parameterization value) = 0;  // name, version
  virtual Task<Result<CheckResponse>> CheckConfig(CheckRequest request) = 0;
  virtual Task<Result<DiffResponse>> DiffConfig(DiffRequest request) = 0;
  virtual Task<Status> Configure(ConfigureRequest request) = 0;
  virtual Task<Result<CheckResponse>> Check(CheckRequest request) = 0;
  virtual Task<Result<DiffResponse>> Diff(DiffRequest request) = 0;
  virtual Task<Result<CreateResponse>> Create(CreateRequest request) = 0;
  virtual Task<Result<ReadResponse>> Read(ReadRequest request) = 0;
  virtual Task<Result<UpdateResponse>> Update(UpdateRequest request) = 0;
  virtual Task<Status> Delete(DeleteRequest request) = 0;
  virtual Task<Result<ConstructResponse>> Construct(ConstructRequest request) = 0;
  virtual Task<Result<InvokeResponse>> Invoke(InvokeRequest request) = 0;
  virtual Task<Result<CallResponse>> Call(CallRequest request) = 0;
  virtual Task<Result<std::string>> GetSchema(SchemaRequest request) = 0;

  // Asks operations in flight to stop soon; best effort.
  virtual Task<void> Cancel() = 0;
};
using ProviderPtr = std::shared_ptr<Provider>;

}  // namespace kingpost
