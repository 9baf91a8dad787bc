// SPDX-License-Identifier: Apache-2.0
// The generated program, behind the protocol of language hosts: registers a graph of resources, as many at a time as it
// may.
#pragma once

#include "wire/wire.h"

#include "load/graph.h"
#include "pulumi/language.grpc.pb.h"

namespace kingpost::bench {

struct ProgramOptions {
  std::vector<Node> graph;
  int changed = 0;           // of the first so many resources one input is another
  int secret_every = 4;      // every fourth holds a secret; 0: none
  int in_flight_max = 1024;  // registrations
};

class Program final : public pulumirpc::LanguageRuntime::Service {
 public:
  explicit Program(ProgramOptions options) : options_(std::move(options)) {}

  grpc::Status Run(grpc::ServerContext* context, const pulumirpc::RunRequest* request,
                   pulumirpc::RunResponse* response) override;
  grpc::Status Handshake(grpc::ServerContext*, const pulumirpc::LanguageHandshakeRequest*,
                         pulumirpc::LanguageHandshakeResponse*) override {
    return grpc::Status::OK;
  }
  grpc::Status GetRequiredPackages(grpc::ServerContext*, const pulumirpc::GetRequiredPackagesRequest*,
                                   pulumirpc::GetRequiredPackagesResponse*) override {
    return grpc::Status::OK;
  }
  grpc::Status GetPluginInfo(grpc::ServerContext*, const google::protobuf::Empty*,
                             pulumirpc::PluginInfo* response) override {
    response->set_version("1.0.0");
    return grpc::Status::OK;
  }

 private:
  const ProgramOptions options_;
};

}  // namespace kingpost::bench
