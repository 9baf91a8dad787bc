// SPDX-License-Identifier: Apache-2.0
#include "wire/grpc_provider.h"

#include "base/os.h"
#include "model/restore_secrets.h"
#include "model/semver.h"

namespace kingpost {

GrpcProvider::GrpcProvider(PluginConnectionPtr connection, std::string package,
                           std::function<Result<std::string>()> monitor_port)
    : connection_(std::move(connection)),
      stub_(pulumirpc::ResourceProvider::NewStub(connection_->channel())),
      package_(std::move(package)),
      monitor_port_(std::move(monitor_port)),
      refresh_before_update_(!IsTruthy(GetEnvironment("PULUMI_DISABLE_REFRESH_BEFORE_UPDATE"))) {}

Task<Status> GrpcProvider::Begin(HandshakeTargets targets) {
  auto shaking = Handshake(targets);
  Status shaken = co_await std::move(shaking);
  if (!shaken.ok()) co_return shaken;

  if (connection_->is_attached()) {
    pulumirpc::PluginAttach attach;
    attach.set_address(targets.engine_address);
    auto attaching = AskOrExplain(&Interface::Attach, std::move(attach));
    auto attached = co_await std::move(attaching);
    if (!attached.ok()) co_return attached.status();
  }
  auto asking = Ask(&Interface::GetPluginInfo, google::protobuf::Empty());
  auto info = co_await std::move(asking);
  if (info.status.ok()) {
    version_ = TolerantSemver(info.response->version());
  } else if (!IsUnimplemented(info.status)) {
    auto explaining = Explain(info.status);
    co_return co_await std::move(explaining);
  }
  co_return Status::Ok();
}

Task<Status> GrpcProvider::AwaitCallOrExplain(std::shared_ptr<PendingCall> flight) {
  auto flying = AwaitCall(connection_->loop(), std::move(flight));
  const grpc::Status status = co_await std::move(flying);
  if (status.ok()) co_return Status::Ok();
  auto explaining = Explain(status);
  co_return co_await std::move(explaining);
}

Task<Status> GrpcProvider::Handshake(HandshakeTargets targets) {
  pulumirpc::ProviderHandshakeRequest request;
  request.set_engine_address(targets.engine_address);
  if (!targets.directory.empty()) {
    request.set_root_directory(targets.directory);
    request.set_program_directory(targets.directory);
  }
  request.set_configure_with_urn(true);
  request.set_supports_views(true);
  request.set_supports_refresh_before_update(refresh_before_update_);
  request.set_invoke_with_preview(true);
  if (!targets.mapper_address.empty()) request.set_mapper_target(targets.mapper_address);
  if (!targets.loader_address.empty()) request.set_loader_target(targets.loader_address);
  if (!targets.resolver_address.empty()) request.set_resolver_target(targets.resolver_address);
  request.set_accepts_byte_string(true);
  request.set_sends_old_outputs_to_check(true);
  request.set_accepts_outputs_in_invoke(true);
  request.set_accepts_outputs_in_call(true);

  Interface* stub = stub_->async();
  auto calling = connection_->FirstCall(stub, &Interface::Handshake, std::move(request));
  auto answer = co_await std::move(calling);
  if (IsUnimplemented(answer.status)) co_return Status::Ok();  // an old plugin: Configure tells its features
  if (!answer.status.ok()) {
    auto explaining = Explain(answer.status);
    Status status = co_await std::move(explaining);
    co_return status.Wrap("failed to handshake with '" + connection_->path() + "'");
  }
  shook_hands_ = true;
  features_.supports_preview = true;
  features_.accept_secrets = answer.response->accept_secrets();
  features_.accept_resources = answer.response->accept_resources();
  features_.accept_outputs = answer.response->accept_outputs();
  features_.supports_autonaming = answer.response->supports_autonaming_configuration();
  features_.accepts_byte_string = answer.response->accepts_byte_string();
  features_.accepts_outputs_in_invoke = answer.response->accepts_outputs_in_invoke();
  features_.accepts_outputs_in_call = answer.response->accepts_outputs_in_call();
  co_return Status::Ok();
}

Task<Result<std::pair<std::string, std::string>>> GrpcProvider::Parameterize(Parameterization value) {
  pulumirpc::ParameterizeRequest request;
  request.mutable_value()->set_name(value.name);
  request.mutable_value()->set_version(value.version);
  request.mutable_value()->set_value(value.value);
  return SendParameter(std::move(request));
}

Task<Result<std::pair<std::string, std::string>>> GrpcProvider::ParameterizeWith(std::vector<std::string> arguments) {
  pulumirpc::ParameterizeRequest request;
  for (std::string& argument : arguments) request.mutable_args()->add_args(std::move(argument));
  return SendParameter(std::move(request));
}

Task<Result<std::pair<std::string, std::string>>> GrpcProvider::SendParameter(pulumirpc::ParameterizeRequest request) {
  auto asking = AskOrExplain(&Interface::Parameterize, std::move(request));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  const std::string& version = (*response)->version();
  if (!IsSemver(version)) {
    co_return Status(Code::kUnknown, "the plugin for package " + package_ +
                                         " answered Parameterize with the version '" + version +
                                         "', which is not a semantic version");
  }
  co_return std::make_pair((*response)->name(), version);
}

Task<Result<PackageMapping>> GrpcProvider::GetMapping(std::string key, std::string provider) {
  pulumirpc::GetMappingRequest request;
  request.set_key(std::move(key));
  request.set_provider(std::move(provider));
  auto asking = AskOrExplain(&Interface::GetMapping, std::move(request));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  co_return PackageMapping{(*response)->provider(), (*response)->data()};
}

Task<Result<std::string>> GrpcProvider::GetSchema(SchemaRequest request) {
  pulumirpc::GetSchemaRequest wire;
  wire.set_version(request.version);
  wire.set_subpackage_name(request.subpackage_name);
  wire.set_subpackage_version(request.subpackage_version);
  auto asking = AskOrExplain(&Interface::GetSchema, std::move(wire));
  auto response = co_await std::move(asking);
  if (!response.ok()) co_return response.status();
  co_return std::move(*(*response)->mutable_schema());
}

Task<void> GrpcProvider::Cancel() {
  CallOptions options;
  options.timeout = kCancelBudget;
  Interface* stub = stub_->async();
  auto calling = RawCall(connection_->loop(), stub, &Interface::Cancel, google::protobuf::Empty(), options);
  co_await std::move(calling);
}

Task<void> GrpcProvider::Close() {
  auto cancelling = Cancel();
  co_await std::move(cancelling);
  auto closing = connection_->Close();
  co_await std::move(closing);
}

WireOptions GrpcProvider::OutgoingOptions(bool keep_unknowns, bool elide_assets) const {
  WireOptions options;
  options.keep_unknowns = keep_unknowns;
  options.elide_asset_contents = elide_assets;
  options.keep_secrets = features_.accept_secrets;
  options.keep_resources = features_.accept_resources;
  options.keep_byte_strings = features_.accepts_byte_string;
  return options;
}

WireOptions GrpcProvider::IncomingOptions(bool allow_unknowns) {
  WireOptions options;
  options.keep_unknowns = allow_unknowns;
  options.reject_unknowns = !allow_unknowns;
  options.keep_secrets = true;
  options.keep_resources = true;
  return options;
}

PropertyMap GrpcProvider::WithSecretsOf(PropertyMap answer, const PropertyMap& inputs) const {
  return features_.accept_secrets ? std::move(answer) : RestoreSecrets(answer, inputs);
}

}  // namespace kingpost
