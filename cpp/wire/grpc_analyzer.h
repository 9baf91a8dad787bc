// SPDX-License-Identifier: Apache-2.0
// A policy pack behind gRPC (rows 9.1 to 9.5). Loop thread.
#pragma once

#include "wire/wire.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kingpost/analyzer.h"
#include "kingpost/plugin_host.h"
#include "plugins/plugin_launch.h"
#include "plugins/policy_config.h"
#include "pulumi/analyzer.grpc.pb.h"
#include "wire/plugin_connection.h"

namespace kingpost {

class GrpcAnalyzer : public Analyzer {
 public:
  GrpcAnalyzer(PluginConnectionPtr connection, std::string name, PolicyPack pack);

  // Handshake and ConfigureStack. Once, before anything else.
  Task<Status> Begin(std::string engine_address, AnalyzerSpec stack);
  // The defaults, what the pack was built with, and `given`; checked, and told to the pack. Exceptions are the engine's
  // business, and any pack may have some.
  Task<Status> ConfigureFrom(PolicyPackConfig given, std::string config_path);
  Task<void> Close();

  const std::string& name() const override { return name_; }
  Task<Result<AnalyzerInfo>> GetInfo() override;
  Task<Result<std::vector<PolicyDiagnostic>>> Analyze(AnalyzerResource resource) override;
  Task<Result<std::vector<Remediation>>> Remediate(AnalyzerResource resource) override;
  Task<Result<std::vector<PolicyDiagnostic>>> AnalyzeStack(std::vector<AnalyzerResource> resources) override;
  Task<void> Cancel() override;

 private:
  using Stub = pulumirpc::Analyzer::Stub;
  using Interface = pulumirpc::Analyzer::StubInterface::async_interface;

  // The pack's description of itself; asked once.
  struct PackInfo {
    AnalyzerInfo info;
    bool supports_config = false;
    std::vector<PolicySchema> policies;
    PolicyConfigs initial_config;
    std::map<std::string, std::string> severities;  // by policy
  };

  template <class Request, class Response>
  auto Ask(AsyncMethod<Interface, Request, Response> method, Request request) {
    Interface* stub = stub_->async();
    return RawCall(connection_->loop(), stub, method, std::move(request));
  }
  Task<Status> LoadInfo();
  Status ReadInfo(const pulumirpc::AnalyzerInfo& wire, PackInfo* out) const;
  Task<Status> Send(PolicyConfigs configs);
  Task<Result<std::vector<PolicyDiagnostic>>> ReadDiagnostics(RawAnswer<pulumirpc::AnalyzeResponse> answer);
  const std::string& VersionOr(const std::string& version) const {
    return pack_.version.empty() ? version : pack_.version;
  }

  PluginConnectionPtr connection_;
  std::unique_ptr<Stub> stub_;
  std::string name_;
  PolicyPack pack_;
  std::optional<PackInfo> info_;
};

}  // namespace kingpost
