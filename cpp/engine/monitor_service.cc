// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor_service.h"

#include "base/encoding.h"
#include "engine/providers/extension.h"
#include "model/semver.h"
#include "model/type_name.h"

namespace kingpost::engine {

namespace {

// Numbers of features that have no identifier.
constexpr int kByteString = 13, kInvokeDependsOn = 14, kInvokeParent = 15, kStateMigrations = 16,
              kInvokeOutputValues = 17, kCallOutputValues = 18, kRegisterResourceOutputValues = 19;
// The numbers of those that have one are their places here.
constexpr const char* kFeatureIds[kByteString] = {
    "secrets",       "resourceReferences", "outputValues",       "aliasSpecs",       "replacementTrigger",
    "deletedWith",   "replaceWith",        "transforms",         "invokeTransforms", "parameterization",
    "resourceHooks", "errorHooks",         "sendsOptionsToHooks"};

Status DefaultProviderDenied(const std::string& what, const std::string& who) {
  return {Code::kUnknown, "Default provider for '" + what + "' disabled. '" + who + "' must use an explicit provider."};
}

constexpr char kClosed[] = "resource monitor shut down while sending resource registration";
constexpr char kShutDown[] = "resource monitor shut down while waiting on step's done channel";

}  // namespace

MonitorService::MonitorService(MonitorParts parts)
    : parts_(parts),
      transforms_(parts.operation),
      settled_(parts.loop),
      positions_(parts.operation.project_root),
      signalled_(parts.loop),
      shut_down_(parts.loop),
      released_(parts.loop) {}

MonitorService::Busy::Busy(MonitorService* owner) : owner_(owner) {
  if (owner_->busy_++ == 0) owner_->idle_ = std::make_shared<Event>(owner_->parts_.loop);
}

MonitorService::Busy::~Busy() {
  if (--owner_->busy_ == 0) owner_->idle_->Set();
}

Task<void> MonitorService::Idle() {
  while (busy_ > 0) {
    std::shared_ptr<Event> idle = idle_;
    co_await *idle;
  }
}

bool MonitorService::SupportsFeature(const std::string& id) {
  const OperationOptions& options = parts_.operation.options;
  if (id == "resourceReferences") return !options.disable_resource_references;
  if (id == "outputValues") return !options.disable_output_values;
  if (id == "registerResourceOutputValues") return true;
  for (const char* known : kFeatureIds) {
    if (id == known) return true;
  }
  return false;
}

DeploymentInfo MonitorService::GetDeploymentInfo() {
  DeploymentInfo info;
  const Operation& operation = parts_.operation;
  info.project = operation.project;
  info.stack = operation.stack;
  info.organization = operation.organization;
  info.config = operation.config;
  info.config_secret_keys = operation.config_secret_keys;
  info.dry_run = operation.options.preview;
  info.parallel = operation.options.parallel;
  for (int i = 0; i < kByteString; ++i) {
    if (SupportsFeature(kFeatureIds[i])) info.features.push_back(i);
  }
  for (const int feature : {kByteString, kInvokeDependsOn, kInvokeParent, kStateMigrations, kInvokeOutputValues,
                            kCallOutputValues, kRegisterResourceOutputValues}) {
    info.features.push_back(feature);
  }
  return info;
}

ConstructInfo MonitorService::MakeConstructInfo() const {
  const Operation& operation = parts_.operation;
  ConstructInfo info;
  info.project = operation.project;
  info.stack = operation.stack;
  info.organization = operation.organization;
  info.config = operation.config;
  info.config_secret_keys = operation.config_secret_keys;
  info.dry_run = operation.options.preview;
  info.parallel = operation.options.parallel;
  info.monitor_address = address_;
  return info;
}

Task<void> MonitorService::HoldIfStopped(Status answer) {
  if (answer.code() == Code::kUnavailable || (!answer.ok() && parts_.requests.failed())) co_await released_;
}

bool MonitorService::closed() const { return (sealed_ || shut_down_.is_set()) && !parts_.requests.stopped(); }

Task<Result<RegisterResourceResponse>> MonitorService::RegisterResource(RegisterResourceRequest request) {
  if (closed()) co_return Status(Code::kUnavailable, kClosed);
  const bool of_program = request.snippet_id.empty();
  Result<RegisterResourceResponse> answer = co_await Register(std::move(request));
  if (of_program) co_await HoldIfStopped(answer.status());
  co_return answer;
}

Task<Result<ReadResourceResponse>> MonitorService::ReadResource(ReadResourceRequest request) {
  if (closed()) co_return Status(Code::kUnavailable, kClosed);
  Result<ReadResourceResponse> answer = co_await Read(std::move(request));
  co_await HoldIfStopped(answer.status());
  co_return answer;
}

Task<Result<ExistsResourceResponse>> MonitorService::ExistsResource(ExistsResourceRequest request) {
  if (closed()) co_return Status(Code::kUnavailable, kClosed);
  Result<ExistsResourceResponse> answer = co_await Exists(std::move(request));
  co_await HoldIfStopped(answer.status());
  co_return answer;
}

Task<Status> MonitorService::RegisterStackTransform(Callback callback) {
  transforms_.AddForStack(std::move(callback));
  co_return Status();
}

Task<Status> MonitorService::RegisterStackInvokeTransform(Callback callback) {
  transforms_.AddForInvokes(std::move(callback));
  co_return Status();
}

Task<Status> MonitorService::RegisterResourceHook(std::string name, Callback callback, bool on_dry_run,
                                                  bool ignore_errors) {
  co_return parts_.hooks.Register(name, std::move(callback), on_dry_run, ignore_errors);
}

Task<Status> MonitorService::RegisterErrorHook(std::string name, Callback callback) {
  co_return parts_.hooks.RegisterErrorHook(name, std::move(callback));
}

Task<Result<std::string>> MonitorService::RegisterPackage(RegisterPackageRequest request) {
  if (request.name.empty()) co_return Status(Code::kUnknown, "package name is empty");
  if (Status usable = CheckPackageName(request.name); !usable.ok()) co_return usable;
  if (request.parameterization) {
    if (Status usable = CheckPackageName(request.parameterization->name); !usable.ok()) co_return usable;
  }
  if (!request.version.empty() && !IsSemver(request.version)) {
    co_return Status(Code::kUnknown, "parse package version " + request.version + ": not a semantic version");
  }
  if (request.parameterization && !IsSemver(request.parameterization->version)) {
    co_return Status(Code::kUnknown,
                     "parse parameter version " + request.parameterization->version + ": not a semantic version");
  }
  ProviderRequest wanted;
  wanted.plugin = request.name;
  wanted.version = request.version;
  wanted.download_url = request.download_url;
  wanted.checksums = request.checksums;
  wanted.parameterization = request.parameterization;
  if (request.extension) {
    const std::string ref = providers::ExtensionRef(*request.extension);
    packages_.try_emplace(ref, wanted);
    extensions_.try_emplace(ref, *request.extension);
    co_return ref;
  }
  for (const auto& [ref, known] : packages_) {
    if (known == wanted && extensions_.count(ref) == 0) co_return ref;
  }
  const std::string ref = FormatUuid4(parts_.operation.environment.random_bytes(16));
  packages_[ref] = wanted;
  co_return ref;
}

Task<Status> MonitorService::SignalAndWaitForShutdown() {
  if (signal_taken_) co_return Status(Code::kUnknown, "Already waiting for shutdown");
  signal_taken_ = true;
  signalled_.Set();
  co_await shut_down_;
  co_return Status();
}

Status MonitorService::Abort(Status reply) {
  (void)parts_.requests.Fail(Urn(), Status::Bail(reply.message()));  // reported by the caller
  return reply;
}

Task<Status> MonitorService::RegisterResourceOutputs(std::string text, PropertyMap outputs) {
  auto urn = Urn::Parse(text);
  if (!urn.ok()) co_return Status(Code::kUnknown, "invalid resource URN: " + urn.status().message());
  if (closed()) co_return Status(Code::kUnavailable, "resource monitor shut down while sending resource outputs");
  Status registered;
  {
    Busy busy(this);
    registered = co_await parts_.requests.RegisterOutputs(*urn, FlattenOutputs(outputs));
  }
  if (registered.ok() && parts_.published) parts_.published->PublishOutputs(*urn, FlattenOutputs(outputs));
  if (!registered.bail()) co_return registered;
  const Status stopped(Code::kUnavailable, kShutDown);
  co_await HoldIfStopped(stopped);
  co_return stopped;
}

std::string MonitorService::ResolveProvider(const std::string& given,
                                            const std::map<std::string, std::string>& providers, const Urn& parent,
                                            const std::string& package) const {
  const auto of_parent = component_providers_.find(parent);
  const bool is_inherited = !parent.empty() && of_parent != component_providers_.end();
  return decisions::GivenProvider(given, providers, is_inherited ? &of_parent->second : nullptr, package);
}

Result<ProviderRequest> MonitorService::RequestFor(const std::string& package, const std::string& version,
                                                   const std::string& url,
                                                   const std::map<std::string, std::string>& checksums,
                                                   const std::string& package_ref) const {
  if (!package_ref.empty()) {
    auto known = packages_.find(package_ref);
    if (known == packages_.end()) {
      return Status(Code::kUnknown, "unknown provider package '" + package_ref + "'");
    }
    return known->second;
  }
  if (Status usable = CheckPackageName(package); !usable.ok()) return usable;
  ProviderRequest request;
  request.plugin = package;
  if (!version.empty()) {
    request.version = TolerantSemver(version);
    if (request.version.empty()) {
      return Status(Code::kUnknown, "parse provider request: invalid version " + Quote(version));
    }
  }
  request.download_url = url;
  while (!request.download_url.empty() && request.download_url.back() == '/') request.download_url.pop_back();
  request.checksums = checksums;
  return request;
}

Task<Result<std::string>> MonitorService::ReferenceFor(ProviderRequest request, std::string given) {
  if (!given.empty()) {
    auto parsed = ProviderReference::Parse(given);
    if (!parsed.ok()) co_return parsed.status().Wrap("could not parse provider reference");
    co_return given;
  }
  co_return co_await parts_.defaults.Get(std::move(request));
}

Task<Result<ProviderPtr>> MonitorService::ProviderFor(ProviderRequest request, CallTarget target) {
  const std::string package = request.package();
  Result<std::string> reference = co_await ReferenceFor(std::move(request), target.provider);
  if (!reference.ok()) co_return reference.status();
  if (!decisions::DeniedPackage(*reference).empty()) co_return DefaultProviderDenied(package, target.token);
  KP_CO_TRY(co_await parts_.providers.EnsureLeftOut(*reference));
  ProviderPtr provider = parts_.providers.Get(*reference);
  if (!provider) {
    co_return Status(Code::kUnknown, "unknown provider '" + target.provider + "' -> '" + *reference + "'");
  }
  KP_CO_TRY(co_await EnsureExtended(*reference, target.package_ref));
  co_return provider;
}

Task<Status> MonitorService::EnsureExtended(std::string reference, std::string package_ref) {
  const auto extension = extensions_.find(package_ref);
  if (package_ref.empty() || extension == extensions_.end()) co_return Status();
  co_return co_await parts_.providers.Extend(std::move(reference), std::move(package_ref), extension->second);
}

Task<Result<std::string>> MonitorService::ReferenceToRead(ReadTarget target) {
  if (IsProviderType(target.type) || !target.provider.empty()) co_return target.provider;
  auto wanted = RequestFor(std::string(PackageOfType(target.type)), target.version, target.plugin_download_url,
                           target.plugin_checksums, target.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  Result<std::string> reference = co_await parts_.defaults.Get(*wanted);
  if (!reference.ok()) co_return Status(Code::kUnavailable, kShutDown);
  if (!decisions::DeniedPackage(*reference).empty()) co_return DefaultProviderDenied(target.type, target.type);
  co_return reference;
}

Status MonitorService::CheckTypeToken(const std::string& type) {
  if (IsValidTypeToken(type)) return CheckTypeName(type);
  return {Code::kInvalidArgument, "Type '" + type + "' is not a valid type token (must have format '*:*:*')"};
}

Result<Urn> MonitorService::ParseParent(const std::string& text) const {
  if (text.empty()) return Urn();
  auto parent = Urn::Parse(text);
  if (!parent.ok()) return Status(Code::kInvalidArgument, "invalid parent URN: " + parent.status().message());
  parts_.run.rows().migrations().Follow(&*parent);
  return parent;
}

Task<Result<ReadResourceResponse>> MonitorService::Read(ReadResourceRequest request) {
  Busy busy(this);
  KP_CO_TRY(CheckTypeToken(request.type));
  const Result<Urn> parent = ParseParent(request.parent);
  if (!parent.ok()) co_return parent.status();
  ReadGoal goal;
  goal.parent = *parent;
  auto in_flight = settled_.Enter(goal.parent);
  const ReadTarget target{request.type,        request.provider,        request.version, request.plugin_download_url,
                          request.package_ref, request.plugin_checksums};
  Result<std::string> reference = co_await ReferenceToRead(target);
  if (!reference.ok()) co_return reference.status();
  goal.provider = std::move(*reference);
  for (const std::string& text : request.dependencies) {
    auto urn = Urn::Parse(text);
    if (!urn.ok()) co_return Status(Code::kInvalidArgument, "invalid dependency: " + urn.status().message());
    goal.dependencies.push_back(*urn);
  }
  goal.id = request.id;
  goal.type = request.type;
  goal.name = request.name;
  goal.inputs = FlattenOutputs(request.properties);
  goal.additional_secret_outputs = request.additional_secret_outputs;
  goal.source_position = positions_.Relative(request.source_position);
  goal.stack_trace = positions_.Trace(request.stack_trace, request.parent_stack_trace_handle);
  Result<ResourceAnswer> read = co_await parts_.requests.Read(std::move(goal));
  if (!read.ok()) co_return Status(Code::kUnavailable, kShutDown);
  transforms_.Registered(read->state->urn, *parent, {});  // what is below it has the transforms of what is above it
  settled_.Settle(read->state->urn, *parent, true, read->state->id);
  ReadResourceResponse response;
  response.urn = read->state->urn;
  response.id = read->state->id;
  response.outputs = read->state->outputs;
  response.outcome = read->outcome;
  response.unknown = read->unknown;
  co_return response;
}

}  // namespace kingpost::engine
