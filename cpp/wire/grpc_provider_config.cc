// SPDX-License-Identifier: Apache-2.0
// CheckConfig, DiffConfig and Configure (rows 8.8, 8.9).
#include "base/command_name.h"
#include "model/restore_secrets.h"
#include "wire/grpc_provider.h"
#include "wire/provider_messages.h"

namespace kingpost {

namespace {

// Configuration is checked without secrets and references: old providers know neither.
WireOptions ConfigOptions(bool keep_unknowns) {
  WireOptions options;
  options.keep_unknowns = keep_unknowns;
  return options;
}

bool Contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Two providers in use do not answer with the code Unimplemented. The Node.js dynamic provider answers with an empty
// message (Internal), old Kubernetes providers wrap the text in an Unknown.
bool IsUnimplemented(const grpc::Status& status, const Urn& urn) {
  switch (status.error_code()) {
    case grpc::StatusCode::UNIMPLEMENTED:
      return true;
    case grpc::StatusCode::INTERNAL:
      return urn.type() == "pulumi:providers:pulumi-nodejs";
    case grpc::StatusCode::UNKNOWN:
      return urn.type() == "pulumi:providers:kubernetes" && Contains(status.error_message(), "Unimplemented");
    default:
      return false;
  }
}

// Old Kubernetes providers refuse a kubeconfig that names a file here, and take it in Configure.
bool IsKubeconfigQuirk(const grpc::Status& status, const Urn& urn) {
  return urn.type() == "pulumi:providers:kubernetes" &&
         Contains(status.error_message(), "cannot unmarshal string into Go value of type struct");
}

Status MissingKeys(const pulumirpc::ConfigureErrorMissingKeys& missing) {
  std::vector<std::string> errors;
  for (const auto& key : missing.missingkeys()) {
    errors.push_back("missing required configuration key \"" + key.name() + "\": " + key.description() +
                     "\nSet a value using the command " + QuotedCommand("config set " + key.name() + " <value>") + ".");
  }
  return Status(Code::kInvalidArgument, JoinErrors(errors));
}

// The deprecated form of the configuration: "<package>:config:<key>", strings as they are, all else as JSON.
Status SetVariables(const PropertyMap& inputs, const std::string& package,
                    google::protobuf::Map<std::string, std::string>* variables) {
  for (const auto& [key, value] : inputs) {
    if (key == "version") continue;
    std::string bytes;
    bool kept = true;
    Status status = ToWireValue(key, value, ConfigOptions(true), &bytes, &kept);
    if (!status.ok()) return status.Wrap("marshaling configuration property '" + key + "'");
    google::protobuf::Value wire;
    KP_ASSERT(wire::ParseDeep(bytes, &wire), "what is written here can be read");
    const bool is_text = wire.kind_case() == google::protobuf::Value::kStringValue;
    (*variables)[package + ":config:" + key] = is_text ? wire.string_value() : ToJson(wire);
  }
  return Status::Ok();
}

}  // namespace

Task<Result<CheckResponse>> GrpcProvider::CheckConfig(CheckRequest request) {
  pulumirpc::CheckRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  const WireOptions options = ConfigOptions(request.allow_unknowns);
  Status status = ToStruct(request.old_inputs, options, wire.mutable_olds());
  if (status.ok()) status = ToStruct(request.new_inputs, options, wire.mutable_news());
  if (!status.ok()) co_return status;

  auto asking = Ask(&Interface::CheckConfig, std::move(wire));
  auto answer = co_await std::move(asking);
  if (IsUnimplemented(answer.status, request.urn)) co_return CheckResponse{request.new_inputs, {}};
  if (!answer.status.ok()) {
    auto explaining = Explain(answer.status);
    Status failed = co_await std::move(explaining);
    co_return failed;
  }
  auto response = ToResult(std::move(answer));
  if (!response.ok()) co_return response.status();
  auto inputs = FromStruct((*response)->inputs(), IncomingOptions(request.allow_unknowns));
  if (!inputs.ok()) co_return inputs.status();
  // No secret could be passed, whatever the provider understands.
  co_return CheckResponse{RestoreSecrets(*inputs, request.new_inputs), ReadFailures((*response)->failures())};
}

Task<Result<DiffResponse>> GrpcProvider::DiffConfig(DiffRequest request) {
  pulumirpc::DiffRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  const WireOptions options = ConfigOptions(true);
  Status status = ToStruct(request.old_inputs, options, wire.mutable_old_inputs());
  if (status.ok()) status = ToStruct(request.old_outputs, options, wire.mutable_olds());
  if (status.ok()) status = ToStruct(request.new_inputs, options, wire.mutable_news());
  if (!status.ok()) co_return status;
  wire.mutable_ignorechanges()->Add(request.ignore_changes.begin(), request.ignore_changes.end());

  auto asking = Ask(&Interface::DiffConfig, std::move(wire));
  auto answer = co_await std::move(asking);
  // Not knowing is answered with "unknown", which does not replace the provider: replacing it, and with it all its
  // resources, for any change of any setting would help nobody.
  if (IsUnimplemented(answer.status, request.urn) || IsKubeconfigQuirk(answer.status, request.urn)) {
    co_return DiffResponse();
  }
  if (!answer.status.ok()) {
    auto explaining = Explain(answer.status);
    Status failed = co_await std::move(explaining);
    co_return failed;
  }
  auto response = ToResult(std::move(answer));
  if (!response.ok()) co_return response.status();
  co_return ReadDiff(**response);
}

Task<Status> GrpcProvider::Configure(ConfigureRequest request) {
  pulumirpc::ConfigureRequest wire;
  SetIdentity(request.urn, request.name, request.type, &wire);
  if (!request.id.empty()) wire.set_id(request.id);
  wire.set_acceptsecrets(true);
  wire.set_acceptresources(true);
  wire.set_sends_old_inputs(true);
  wire.set_sends_old_inputs_to_delete(true);
  const std::string package(ProviderPackage(wire.type()));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old plugins read nothing else
  Status status = SetVariables(request.inputs, package, wire.mutable_variables());
#pragma GCC diagnostic pop
  if (!status.ok()) co_return status;

  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = true;
  options.keep_byte_strings = features_.accepts_byte_string;
  status = ToStruct(request.inputs, options, wire.mutable_args());
  if (!status.ok()) co_return status.Wrap("marshaling provider inputs");

  auto asking = Ask(&Interface::Configure, std::move(wire));
  auto answer = co_await std::move(asking);
  if (auto missing = FindDetail<pulumirpc::ConfigureErrorMissingKeys>(answer.status);
      missing && missing->missingkeys_size() > 0) {
    co_return MissingKeys(*missing);
  }
  if (!answer.status.ok()) {
    auto explaining = Explain(answer.status);
    Status failed = co_await std::move(explaining);
    co_return failed;
  }
  if (!shook_hands_) {
    features_.accept_secrets = answer.response->acceptsecrets();
    features_.accept_resources = answer.response->acceptresources();
    features_.accept_outputs = answer.response->acceptoutputs();
    features_.supports_preview = answer.response->supportspreview();
    features_.supports_autonaming = answer.response->supports_autonaming_configuration();
  }
  co_return Status::Ok();
}

}  // namespace kingpost
