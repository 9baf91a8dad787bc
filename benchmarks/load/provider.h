// SPDX-License-Identifier: Apache-2.0
// The provider of the generated resources. It keeps nothing: what exists is what the engine says. Every answer can be
// delayed, without a thread for each. gRPC's threads.
#pragma once

#include "wire/wire.h"

#include <array>
#include <atomic>
#include <chrono>

#include "pulumi/provider.grpc.pb.h"

namespace kingpost::bench {

enum class Asked { kCheck, kDiff, kCreate, kRead, kUpdate, kDelete };
inline constexpr std::array<const char*, 6> kCallNames = {"check", "diff", "create", "read", "update", "delete"};

struct CallCount {
  std::atomic<int> calls = 0, in_flight = 0, in_flight_max = 0;
};

class Provider final : public pulumirpc::ResourceProvider::CallbackService {
 public:
  using Reactor = grpc::ServerUnaryReactor;
  using Context = grpc::CallbackServerContext;

  explicit Provider(std::chrono::milliseconds latency) : latency_(latency) {}
  const CallCount& count(Asked asked) const { return counts_[static_cast<size_t>(asked)]; }

  Reactor* Handshake(Context* context, const pulumirpc::ProviderHandshakeRequest*,
                     pulumirpc::ProviderHandshakeResponse* response) override;
  Reactor* Attach(Context* context, const pulumirpc::PluginAttach*, google::protobuf::Empty*) override;
  Reactor* GetPluginInfo(Context* context, const google::protobuf::Empty*, pulumirpc::PluginInfo* response) override;
  Reactor* GetSchema(Context* context, const pulumirpc::GetSchemaRequest*,
                     pulumirpc::GetSchemaResponse* response) override;
  Reactor* CheckConfig(Context* context, const pulumirpc::CheckRequest* request,
                       pulumirpc::CheckResponse* response) override;
  Reactor* DiffConfig(Context* context, const pulumirpc::DiffRequest*, pulumirpc::DiffResponse* response) override;
  Reactor* Configure(Context* context, const pulumirpc::ConfigureRequest*,
                     pulumirpc::ConfigureResponse* response) override;
  Reactor* Cancel(Context* context, const google::protobuf::Empty*, google::protobuf::Empty*) override;

  Reactor* Check(Context* context, const pulumirpc::CheckRequest* request, pulumirpc::CheckResponse* response) override;
  Reactor* Diff(Context* context, const pulumirpc::DiffRequest* request, pulumirpc::DiffResponse* response) override;
  Reactor* Create(Context* context, const pulumirpc::CreateRequest* request,
                  pulumirpc::CreateResponse* response) override;
  Reactor* Read(Context* context, const pulumirpc::ReadRequest* request, pulumirpc::ReadResponse* response) override;
  Reactor* Update(Context* context, const pulumirpc::UpdateRequest* request,
                  pulumirpc::UpdateResponse* response) override;
  Reactor* Delete(Context* context, const pulumirpc::DeleteRequest*, google::protobuf::Empty*) override;

 private:
  // Finishes the call, after the latency if there is one, and counts it.
  Reactor* Answer(Context* context, Asked asked);

  const std::chrono::milliseconds latency_;
  std::array<CallCount, kCallNames.size()> counts_;
};

}  // namespace kingpost::bench
