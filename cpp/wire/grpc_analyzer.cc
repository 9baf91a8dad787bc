// SPDX-License-Identifier: Apache-2.0
#include "wire/grpc_analyzer.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/json_access.h"
#include "model/restore_secrets.h"
#include "wire/analyzer_messages.h"
#include "wire/convert.h"

namespace kingpost {

namespace {

Result<nlohmann::json> SchemaOf(const pulumirpc::PolicyInfo& policy) {
  auto properties = StructToJson(policy.configschema().properties());
  if (!properties.ok()) return properties.status();
  nlohmann::json schema = {{"properties", std::move(*properties)}};
  if (policy.configschema().required_size() > 0) {
    schema["required"] =
        std::vector<std::string>(policy.configschema().required().begin(), policy.configschema().required().end());
  }
  return schema;
}

}  // namespace

GrpcAnalyzer::GrpcAnalyzer(PluginConnectionPtr connection, std::string name, PolicyPack pack)
    : connection_(std::move(connection)),
      stub_(pulumirpc::Analyzer::NewStub(connection_->channel())),
      name_(std::move(name)),
      pack_(std::move(pack)) {}

Task<Status> GrpcAnalyzer::Begin(std::string engine_address, AnalyzerSpec stack) {
  pulumirpc::AnalyzerHandshakeRequest handshake;
  handshake.set_engine_address(engine_address);
  handshake.set_root_directory(pack_.folder);
  handshake.set_program_directory(pack_.folder);
  Interface* stub = stub_->async();
  auto shaking = connection_->FirstCall(stub, &Interface::Handshake, std::move(handshake));
  auto shaken = co_await std::move(shaking);
  if (!shaken.status.ok() && !IsUnimplemented(shaken.status)) {
    auto explaining = connection_->Explain(shaken.status);
    Status status = co_await std::move(explaining);
    co_return status.Wrap("policy pack " + Quote(name_) + " failed to start");
  }

  pulumirpc::AnalyzerStackConfigureRequest configure;
  ToWireStack(stack, &configure);
  auto asking = Ask(&Interface::ConfigureStack, std::move(configure));
  auto configured = co_await std::move(asking);
  if (configured.status.ok() || IsUnimplemented(configured.status)) co_return Status::Ok();
  auto explaining = connection_->Explain(configured.status);
  Status status = co_await std::move(explaining);
  co_return status.Wrap("configuring policy pack " + Quote(name_));
}

Status GrpcAnalyzer::ReadInfo(const pulumirpc::AnalyzerInfo& wire, PackInfo* out) const {
  out->info.name = wire.name();
  out->info.display_name = wire.displayname();
  out->info.version = VersionOr(wire.version());
  out->supports_config = wire.supportsconfig();
  for (const auto& policy : wire.policies()) {
    auto level = FromWireLevel(policy.enforcementlevel());
    if (!level.ok()) return level.status();
    PolicyInfo info{policy.name(),
                    policy.displayname(),
                    policy.description(),
                    policy.message(),
                    *level,
                    static_cast<PolicyType>(policy.policy_type())};
    out->info.policies.push_back(std::move(info));
    nlohmann::json schema;
    if (wire.supportsconfig()) {
      auto read = SchemaOf(policy);
      if (!read.ok()) return read.status();
      schema = std::move(*read);
    }
    out->policies.push_back({policy.name(), *level, std::move(schema)});
    out->severities[policy.name()] = FromWireSeverity(policy.severity());
  }
  std::sort(out->info.policies.begin(), out->info.policies.end(),
            [](const PolicyInfo& a, const PolicyInfo& b) { return a.name < b.name; });
  for (const auto& [policy, config] : wire.initialconfig()) {
    auto level = FromWireLevel(config.enforcementlevel());
    if (!level.ok()) return level.status();
    auto properties = StructToJson(config.properties());
    if (!properties.ok()) return properties.status();
    out->initial_config[policy] = {*level, std::move(*properties)};
  }
  return Status::Ok();
}

Task<Status> GrpcAnalyzer::LoadInfo() {
  if (info_) co_return Status::Ok();
  auto asking = Ask(&Interface::GetAnalyzerInfo, google::protobuf::Empty());
  auto answer = co_await std::move(asking);
  if (!answer.status.ok()) {
    auto explaining = connection_->Explain(answer.status);
    co_return co_await std::move(explaining);
  }
  PackInfo info;
  Status status = ReadInfo(*answer.response, &info);
  if (status.ok()) info_ = std::move(info);
  co_return status;
}

Task<Result<AnalyzerInfo>> GrpcAnalyzer::GetInfo() {
  auto loading = LoadInfo();
  Status status = co_await std::move(loading);
  if (!status.ok()) co_return status;
  co_return info_->info;
}

Task<Status> GrpcAnalyzer::ConfigureFrom(PolicyPackConfig given, std::string config_path) {
  auto loading = LoadInfo();
  Status status = co_await std::move(loading);
  if (!status.ok()) co_return status;
  info_->info.exceptions = std::move(given.exceptions);
  const std::string& pack = info_->info.name;
  if (!info_->supports_config) {
    if (given.policies.empty()) co_return Status::Ok();
    co_return Status(Code::kInvalidArgument, "policy pack " + Quote(pack) + " at " + Quote(pack_.folder) +
                                                 " does not support config: leave " + config_path + " out");
  }
  auto configs = ReconcilePolicyConfigs(info_->policies, info_->initial_config, given.policies);
  if (!configs.ok()) co_return configs.status().Wrap("validating policy config for " + Quote(pack));
  auto sending = Send(std::move(*configs));
  Status sent = co_await std::move(sending);
  co_return sent.Wrap("configuring policy pack " + Quote(pack));
}

Task<Status> GrpcAnalyzer::Send(PolicyConfigs configs) {
  if (configs.empty()) co_return Status::Ok();
  pulumirpc::ConfigureAnalyzerRequest request;
  for (const auto& [policy, config] : configs) {
    if (!config.level) {
      co_return Status(Code::kInvalidArgument, "the policy pack has no policy " + Quote(policy) +
                                                   ", and its configuration no enforcementLevel");
    }
    auto& wire = (*request.mutable_policyconfig())[policy];
    wire.set_enforcementlevel(static_cast<pulumirpc::EnforcementLevel>(*config.level));
    wire.set_properties(JsonToStruct(config.properties.is_object() ? config.properties : nlohmann::json::object()));
  }
  auto asking = Ask(&Interface::Configure, std::move(request));
  auto answer = co_await std::move(asking);
  if (!answer.status.ok()) {
    auto explaining = connection_->Explain(answer.status);
    co_return co_await std::move(explaining);
  }
  if (!info_) co_return Status::Ok();
  for (PolicyInfo& policy : info_->info.policies) {
    if (auto config = configs.find(policy.name); config != configs.end()) policy.level = *config->second.level;
  }
  co_return Status::Ok();
}

Task<Result<std::vector<PolicyDiagnostic>>> GrpcAnalyzer::ReadDiagnostics(
    RawAnswer<pulumirpc::AnalyzeResponse> answer) {
  if (!answer.status.ok()) {
    auto explaining = connection_->Explain(answer.status);
    Status status = co_await std::move(explaining);
    co_return status;
  }
  std::vector<PolicyDiagnostic> diagnostics;
  for (const auto& wire : answer.response->diagnostics()) {
    auto level = FromWireLevel(wire.enforcementlevel());
    if (!level.ok()) co_return level.status().Wrap("converting analysis results");
    PolicyDiagnostic diagnostic;
    diagnostic.policy = wire.policyname();
    diagnostic.pack = wire.policypackname();
    diagnostic.pack_version = VersionOr(wire.policypackversion());
    diagnostic.description = wire.description();
    diagnostic.message = wire.message();
    diagnostic.level = *level;
    diagnostic.urn = Urn(wire.urn());
    diagnostic.severity = FromWireSeverity(wire.severity());
    if (diagnostic.severity.empty()) {
      auto loading = LoadInfo();
      Status loaded = co_await std::move(loading);
      if (loaded.ok()) diagnostic.severity = info_->severities[diagnostic.policy];
    }
    diagnostics.push_back(std::move(diagnostic));
  }
  for (const auto& wire : answer.response->not_applicable()) {
    PolicyDiagnostic diagnostic;
    diagnostic.policy = wire.policy_name();
    diagnostic.not_applicable = true;
    diagnostics.push_back(std::move(diagnostic));
  }
  co_return diagnostics;
}

Task<Result<std::vector<PolicyDiagnostic>>> GrpcAnalyzer::Analyze(AnalyzerResource resource) {
  pulumirpc::AnalyzeRequest request;
  Status status = ToWireResource(resource, true, &request);
  if (!status.ok()) co_return status;
  auto asking = Ask(&Interface::Analyze, std::move(request));
  auto answer = co_await std::move(asking);
  auto reading = ReadDiagnostics(std::move(answer));
  co_return co_await std::move(reading);
}

Task<Result<std::vector<PolicyDiagnostic>>> GrpcAnalyzer::AnalyzeStack(std::vector<AnalyzerResource> resources) {
  pulumirpc::AnalyzeStackRequest request;
  for (const AnalyzerResource& resource : resources) {
    Status status = ToWireResource(resource, request.add_resources());
    if (!status.ok()) co_return status.Wrap("marshalling properties");
  }
  auto asking = Ask(&Interface::AnalyzeStack, std::move(request));
  auto answer = co_await std::move(asking);
  // An old pack that knows no stack policies has none to violate.
  if (IsUnimplemented(answer.status)) co_return std::vector<PolicyDiagnostic>();
  auto reading = ReadDiagnostics(std::move(answer));
  co_return co_await std::move(reading);
}

Task<Result<std::vector<Remediation>>> GrpcAnalyzer::Remediate(AnalyzerResource resource) {
  pulumirpc::AnalyzeRequest request;
  Status status = ToWireResource(resource, false, &request);
  if (!status.ok()) co_return status;
  auto asking = Ask(&Interface::Remediate, std::move(request));
  auto answer = co_await std::move(asking);
  std::vector<Remediation> remediations;
  if (IsUnimplemented(answer.status)) co_return remediations;
  if (!answer.status.ok()) {
    auto explaining = connection_->Explain(answer.status);
    Status failed = co_await std::move(explaining);
    co_return failed;
  }
  Status readable = wire::Check(*answer.response);
  if (!readable.ok()) co_return readable;
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = true;
  for (const auto& wire : answer.response->remediations()) {
    Remediation remediation{wire.policyname(),
                            wire.policypackname(),
                            VersionOr(wire.policypackversion()),
                            wire.description(),
                            std::nullopt,
                            wire.diagnostic(),
                            false};
    if (wire.has_properties()) {
      auto properties = FromStruct(wire.properties(), options);
      if (!properties.ok()) co_return properties.status();
      // SDKs show policies plain values and send back what they were shown; a secret must not become plain by that.
      remediation.properties = RestoreSecrets(*properties, resource.properties);
    }
    remediations.push_back(std::move(remediation));
  }
  for (const auto& wire : answer.response->not_applicable()) {
    Remediation remediation;
    remediation.policy = wire.policy_name();
    remediation.not_applicable = true;
    remediations.push_back(std::move(remediation));
  }
  co_return remediations;
}

Task<void> GrpcAnalyzer::Cancel() {
  CallOptions options;
  options.timeout = kCancelBudget;
  Interface* stub = stub_->async();
  auto calling = RawCall(connection_->loop(), stub, &Interface::Cancel, google::protobuf::Empty(), options);
  co_await std::move(calling);
}

Task<void> GrpcAnalyzer::Close() {
  auto cancelling = Cancel();
  co_await std::move(cancelling);
  auto closing = connection_->Close();
  co_await std::move(closing);
}

}  // namespace kingpost
