// SPDX-License-Identifier: Apache-2.0
// RegisterResource: from the request to a goal, in the order of row 1.4.
#include "base/encoding.h"
#include "base/go_duration.h"
#include "engine/monitor_service.h"
#include "model/output_values.h"
#include "model/property_path.h"
#include "model/semver.h"
#include "model/type_name.h"

namespace kingpost::engine {

namespace {

Status ParseUrns(const std::vector<std::string>& texts, const std::string& what, std::vector<Urn>* urns) {
  for (const std::string& text : texts) {
    auto urn = Urn::Parse(text);
    if (!urn.ok()) return Status(Code::kInvalidArgument, "invalid " + what + " URN: " + urn.status().message());
    AddUnique(urns, *urn);
  }
  return Status();
}

// Old Node.js SDKs write a spec's parent the other way round (row 1.16).
Alias RepairNodeAlias(Alias alias, bool parent_was_set) {
  if (!alias.urn.empty()) return alias;
  if (alias.no_parent) {
    alias.no_parent = false;
  } else if (!parent_was_set || alias.parent_urn.empty()) {
    alias.no_parent = true;
  }
  return alias;
}

}  // namespace

void MonitorService::InheritFromParent(Registering* r) const {
  auto found = registered_goals_.find(r->parent);
  if (r->parent.empty() || found == registered_goals_.end()) return;
  const Goal& parent = *found->second;
  RegisterResourceRequest& request = r->request;
  if (request.deleted_with.empty()) request.deleted_with = parent.deleted_with.str();
  if (!request.protect) request.protect = parent.protect;
  if (!request.retain_on_delete) request.retain_on_delete = parent.retain_on_delete;
  if (!request.provider.empty() || parent.provider.empty()) return;
  auto ref = ProviderReference::Parse(parent.provider);
  const bool local_component = !request.remote && !request.custom;
  const bool same_package = ref.ok() && ProviderPackage(ref->urn.type()) == PackageOfType(request.type);
  if (local_component || same_package) request.provider = parent.provider;
}

Status MonitorService::ReadDependencies(Registering* r) const {
  const RegisterResourceRequest& request = r->request;
  Status read = ParseUrns(request.dependencies, "dependency", &r->dependencies);
  if (!read.ok()) return read;
  if (request.property_dependencies.empty() && !request.remote) {
    for (const auto& [key, value] : r->inputs) r->property_dependencies[key] = r->dependencies;
    return Status();
  }
  for (const auto& [key, texts] : request.property_dependencies) {
    read = ParseUrns(texts, "dependency on property " + key, &r->property_dependencies[key]);
    if (!read.ok()) return read;
  }
  return Status();
}

ResourceOptions MonitorService::OptionsOf(const Registering& r, std::vector<Alias> aliases) const {
  const RegisterResourceRequest& request = r.request;
  ResourceOptions options;
  static_cast<SteadyOptions&>(options) = request;
  static_cast<OpenOptions&>(options) = request;
  options.aliases = std::move(aliases);
  options.depends_on = request.dependencies;
  options.version = request.version;
  options.provider = request.provider;
  if (request.custom || request.remote) {
    options.provider =
        ResolveProvider(request.provider, request.providers, r.parent, std::string(PackageOfType(request.type)));
  }
  options.plugin_download_url = request.plugin_download_url;
  options.deleted_with = request.deleted_with;
  options.providers = request.providers;
  options.plugin_checksums = request.plugin_checksums;
  options.replace_with = request.replace_with;
  return options;
}

Task<Status> MonitorService::Transform(Registering* r) {
  RegisterResourceRequest& request = r->request;
  const bool asked = !request.transforms.empty();
  if (asked) r->inputs = WithDependencies(r->inputs, r->property_dependencies);
  r->own_transforms = transforms_.Own(r->parent.str(), request.type, request.name, request.remote, request.transforms);
  TransformRequest transform;
  transform.type = request.type;
  transform.name = request.name;
  transform.parent = r->parent.str();
  transform.custom = request.custom;
  transform.properties = r->inputs;
  transform.options = r->options;
  Result<TransformResponse> transformed =
      co_await transforms_.Apply(r->own_transforms, r->parent, std::move(transform));
  if (!transformed.ok()) co_return transformed.status();
  r->inputs = std::move(transformed->properties);
  r->options = std::move(transformed->options);
  if (asked) {
    r->dependencies.clear();
    KP_CO_TRY(ParseUrns(r->options.depends_on, "dependency", &r->dependencies));
    r->property_dependencies.clear();
  }
  for (const auto& [key, value] : r->inputs) {
    std::vector<Urn> carried;
    CollectOutputDependencies(value, &carried);
    auto& of_property = r->property_dependencies[key];
    for (const Urn& urn : carried) {
      AddUnique(&of_property, urn);
      if (asked) AddUnique(&r->dependencies, urn);
    }
  }
  co_return Status();
}

Task<Status> MonitorService::ChooseProviders(Registering* r) {
  RegisterResourceRequest& request = r->request;
  if (!request.custom && !r->parent.empty()) {
    auto of_parent = component_providers_.find(r->parent);
    if (of_parent != component_providers_.end()) {
      r->options.providers.insert(of_parent->second.begin(), of_parent->second.end());
    }
  }
  const bool needs_provider = (request.custom && !IsProviderType(request.type)) || request.remote;
  if (!needs_provider) co_return Status();
  auto wanted = RequestFor(std::string(PackageOfType(request.type)), r->options.version, r->options.plugin_download_url,
                           r->options.plugin_checksums, request.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  Result<std::string> reference = co_await ReferenceFor(*wanted, r->options.provider);
  if (!reference.ok()) co_return reference.status();
  r->provider_reference = *reference;
  for (const auto& [package, given] : r->options.providers) {
    Result<std::string> resolved = co_await ReferenceFor(*wanted, given);
    if (!resolved.ok()) co_return resolved.status();
    r->provider_references[package] = *resolved;
  }
  co_return Status();
}

Status MonitorService::AddProviderInputs(Registering* r) const {
  const RegisterResourceRequest& request = r->request;
  if (!IsProviderType(request.type)) return Status();
  const ResourceOptions& options = r->options;
  if (!options.version.empty()) {
    if (!naming::IsSemver(options.version)) {
      return Status(Code::kUnknown, "ResourceMonitor.RegisterResource(" + request.type + "," + request.name +
                                        "): passed invalid version: " + Quote(options.version));
    }
    naming::SetProviderVersion(&r->inputs, options.version);
  }
  if (!options.plugin_download_url.empty()) naming::SetProviderUrl(&r->inputs, options.plugin_download_url);
  if (!request.env_var_mappings.empty()) naming::SetEnvVarMappings(&r->inputs, request.env_var_mappings);
  if (!request.package_ref.empty()) {
    auto known = packages_.find(request.package_ref);
    if (known == packages_.end()) {
      return Status(Code::kUnknown, "unknown provider package '" + request.package_ref + "'");
    }
    naming::SetProviderRequest(&r->inputs, known->second);
  }
  const naming::ProviderRequest* required = parts_.defaults.Required(std::string(ProviderPackage(request.type)));
  if (required && options.version.empty() && options.plugin_download_url.empty()) {
    if (!required->version.empty()) naming::SetProviderVersion(&r->inputs, required->version);
    if (!required->download_url.empty()) naming::SetProviderUrl(&r->inputs, required->download_url);
  }
  return Status();
}

Task<Status> MonitorService::Prepare(Registering* r) {
  RegisterResourceRequest& request = r->request;
  InheritFromParent(r);
  if (Status usable = CheckTypeName(request.type); !usable.ok()) co_return usable;
  if ((request.custom || request.remote) && !IsValidTypeToken(request.type)) {
    co_return Status(Code::kInvalidArgument,
                     "Type '" + request.type + "' is not a valid type token (must have format '*:*:*')");
  }
  if (!request.env_var_mappings.empty() && !IsProviderType(request.type)) {
    co_return Status(Code::kInvalidArgument, "envVarMappings can only be used with provider resources");
  }
  std::vector<Alias> aliases;
  for (const std::string& text : request.alias_urns) {
    Alias alias;
    alias.urn = Urn(text);
    aliases.push_back(std::move(alias));
  }
  const bool repair = !request.alias_specs && request.from_nodejs;
  for (const Alias& alias : request.aliases) {
    aliases.push_back(repair ? RepairNodeAlias(alias, !alias.parent_urn.empty()) : alias);
  }
  r->inputs = std::move(request.inputs);
  KP_CO_TRY(ReadDependencies(r));
  r->options = OptionsOf(*r, std::move(aliases));
  const std::string* timeouts[] = {&request.timeout_create, &request.timeout_update, &request.timeout_delete,
                                   &request.timeout_read};
  double* seconds[] = {&r->options.custom_timeouts.create_s, &r->options.custom_timeouts.update_s,
                       &r->options.custom_timeouts.delete_s, &r->options.custom_timeouts.read_s};
  for (int i = 0; i < 4; ++i) {
    if (timeouts[i]->empty()) continue;
    auto parsed = naming::ParseGoDuration(*timeouts[i]);
    if (!parsed) co_return Status(Code::kUnknown, "unable to parse customTimeout Value " + *timeouts[i]);
    *seconds[i] = *parsed;
  }
  KP_CO_TRY(co_await Transform(r));
  KP_CO_TRY(co_await ChooseProviders(r));
  for (const Alias& alias : r->options.aliases) {
    if (!alias.urn.empty() && !alias.urn.valid()) {
      co_return Status(Code::kInvalidArgument, "invalid alias URN: invalid URN " + Quote(alias.urn.str()));
    }
    if (!alias.parent_urn.empty() && !alias.parent_urn.valid()) {
      co_return Status(Code::kInvalidArgument,
                       "invalid parent alias URN: invalid URN " + Quote(alias.parent_urn.str()));
    }
  }
  co_return AddProviderInputs(r);
}

Status MonitorService::ReadOptions(Registering* r, Goal* goal) const {
  const ResourceOptions& options = r->options;
  static_cast<SteadyOptions&>(*goal) = options;
  static_cast<OpenOptions&>(*goal) = options;
  for (size_t i = 0; i < options.hide_diffs.size(); ++i) {
    auto path = PropertyPath::Parse(options.hide_diffs[i]);
    if (!path.ok()) return path.status().Wrap(std::to_string(i));
    goal->hide_diffs[i] = path->str();
  }
  if (!options.deleted_with.empty()) {
    auto urn = Urn::Parse(options.deleted_with);
    if (!urn.ok()) return Status(Code::kInvalidArgument, "invalid DeletedWith URN: " + urn.status().message());
    goal->deleted_with = *urn;
  }
  for (const std::string& text : options.replace_with) goal->replace_with.push_back(Urn(text));
  goal->type = r->request.type;
  goal->name = r->request.name;
  goal->custom = r->request.custom;
  goal->parent = r->parent;
  goal->dependencies = r->dependencies;
  goal->provider = r->provider_reference;
  goal->property_dependencies = r->property_dependencies;
  goal->snippet_id = r->request.snippet_id;
  goal->source_position = positions_.Relative(r->request.source_position);
  goal->stack_trace = positions_.Trace(r->request.stack_trace, r->request.parent_stack_trace_handle);
  return Status();
}

void MonitorService::Remember(const Registering& r, const Urn& urn, const std::string& id) {
  transforms_.Registered(urn, r.parent, r.own_transforms);
  if (!r.request.custom) component_providers_[urn] = r.options.providers;
  settled_.Settle(urn, r.parent, r.request.custom, id);
}

// Of a component the outputs come later, and are published then.
void MonitorService::Publish(const Registering& r, const State& state) const {
  if (!parts_.watch) return;
  std::vector<Urn> aliases = state.aliases;
  for (const Alias& alias : r.options.aliases) {
    if (!alias.urn.empty()) aliases.push_back(alias.urn);
  }
  if (state.custom) {
    parts_.watch->Publish({state.urn, state.id, state.outputs}, aliases);
  } else {
    parts_.watch->RememberAliases(state.urn, std::move(aliases));
  }
}

Task<Result<RegisterResourceResponse>> MonitorService::RegisterLocal(Registering* r) {
  auto goal = std::make_shared<Goal>();
  KP_CO_TRY(ReadOptions(r, goal.get()));
  goal->inputs = FlattenOutputs(r->inputs);
  std::optional<Parameterization> extension;
  auto extended = extensions_.find(r->request.package_ref);
  if (!r->request.package_ref.empty() && extended != extensions_.end()) {
    extension = extended->second;
    goal->extension_ref = r->request.package_ref;
  }
  Result<Registered> registered = co_await parts_.registrar.Register(goal, extension);
  if (!registered.ok()) {
    co_return Status(Code::kUnavailable, "resource monitor shut down while waiting on step's done channel");
  }
  if (registered->outcome != RegisterOutcome::kSuccess && !r->request.supports_result_reporting) {
    co_return Status(Code::kInternal, "resource registration failed");
  }
  const State& state = *registered->state;
  if (registered->outcome == RegisterOutcome::kSuccess) Publish(*r, state);
  registered_goals_[state.urn] = goal;
  Remember(*r, state.urn, state.id);
  RegisterResourceResponse response;
  response.urn = state.urn;
  response.id = state.id;
  response.outcome = registered->outcome;
  response.unknown = registered->unknown;
  if (r->request.custom) response.outputs = state.outputs;
  co_return response;
}

Task<Result<RegisterResourceResponse>> MonitorService::Register(RegisterResourceRequest request) {
  Busy busy(this);
  if (request.has_state_migrations) {
    co_return Status(Code::kFailedPrecondition, "state migrations are not supported by this deployment");
  }
  Registering r;
  if (!request.parent.empty()) {
    auto parent = Urn::Parse(request.parent);
    if (!parent.ok()) {
      co_return Status(Code::kInvalidArgument, "invalid parent URN: " + parent.status().message());
    }
    r.parent = *parent;
  }
  auto in_flight = settled_.Enter(r.parent);
  r.request = std::move(request);
  Status prepared = co_await Prepare(&r);
  if (prepared.bail()) {
    co_return Status(Code::kUnavailable, "resource monitor shut down while sending resource registration");
  }
  if (!prepared.ok()) co_return prepared;
  if (r.request.remote) co_return co_await Construct(&r);
  co_return co_await RegisterLocal(&r);
}

Task<Result<Urn>> MonitorService::RegisterInPlace(std::string type, std::string name, Urn parent) {
  auto goal = std::make_shared<Goal>();
  goal->type = std::move(type);
  goal->name = std::move(name);
  goal->parent = std::move(parent);
  Busy busy(this);  // whoever asked for it may have been given up
  Result<Registered> registered = co_await parts_.registrar.Register(goal, std::nullopt);
  if (!registered.ok()) co_return registered.status();
  co_return registered->state->urn;
}

}  // namespace kingpost::engine
