// SPDX-License-Identifier: Apache-2.0
// RegisterResource: from the request to a goal, in the order of row 1.4.
#include "base/encoding.h"
#include "base/go_duration.h"
#include "engine/monitor_service.h"
#include "model/output_values.h"
#include "model/property_path.h"
#include "model/resource_fields.h"
#include "model/semver.h"
#include "model/type_name.h"

namespace kingpost::engine {

namespace {

Status CheckUrn(const Urn& urn, const std::string& what) {
  if (urn.valid()) return Status();
  return Status(Code::kInvalidArgument, "invalid " + what + " URN: " + Urn::Parse(urn.str()).status().message());
}

Status CheckUrns(const std::vector<Urn>& urns, const std::string& what) {
  for (const Urn& urn : urns) KP_TRY(CheckUrn(urn, what));
  return Status();
}

// Each once, the first time it is named.
void DropRepeated(std::vector<Urn>* urns) {
  if (urns->size() < 2) return;
  std::vector<Urn> once;
  once.reserve(urns->size());
  for (const Urn& urn : *urns) AddUnique(&once, urn);
  if (once.size() < urns->size()) *urns = std::move(once);
}

// Old Node.js SDKs write a spec's parent the other way round (row 1.16).
void MendNodeAlias(Alias* alias) {
  if (!alias->urn.empty()) return;
  if (alias->no_parent) {
    alias->no_parent = false;
  } else if (alias->parent_urn.empty()) {
    alias->no_parent = true;
  }
}

void Inherit(const std::optional<bool>& from, std::optional<bool>* own) {
  if (!*own) *own = from;
}
template <class T>
requires requires(const T& value) { value.empty(); }
void Inherit(const T& from, T* own) {
  if (own->empty()) *own = from;
}

template <class Visit>
void ForEachInherited(Visit&& visit) {
  ForEachResourceField([&](const auto& field) {
    if constexpr (requires(Goal * goal) { Inherit(goal->*field.goal, &(goal->*field.goal)); }) {
      if (field.use.inherited) visit(field);
    } else {
      KP_ASSERT(!field.use.inherited, "an option that is inherited tells whether it is set");
    }
  });
}

bool GivesTheSame(const Goal& a, const Goal& b) {
  bool same = a.provider == b.provider;
  ForEachInherited([&](const auto& field) {
    if constexpr (requires { a.*field.goal == b.*field.goal; }) {
      same = same && a.*field.goal == b.*field.goal;
    } else {
      KP_ASSERT(false, "options that are inherited can be compared");
    }
  });
  return same;
}

// Where the request does not tell the properties apart, each depends on all that the resource depends on. Output values
// tell them apart: what carries nothing depends on nothing.
Status ReadDependencies(RegisterResourceRequest* request) {
  if (Status valid = CheckUrns(request->dependencies, "dependency"); !valid.ok()) return valid;
  DropRepeated(&request->dependencies);
  if (request->property_dependencies.empty()) {
    if (request->remote || request->uses_output_values) return Status();
    for (const auto& [key, value] : request->inputs) request->property_dependencies[key] = request->dependencies;
    return Status();
  }
  if (request->uses_output_values) {
    return {Code::kInvalidArgument,
            "uses_output_values is set but propertyDependencies is non-empty; carry per-leaf dependency information "
            "inline on inputs as OutputValues instead"};
  }
  for (auto& [key, urns] : request->property_dependencies.Own()) {
    if (Status valid = CheckUrns(urns, "dependency on property " + key); !valid.ok()) return valid;
    DropRepeated(&urns);
  }
  return Status();
}

Status ReadTimeouts(RegisterResourceRequest* request) {
  const std::pair<const std::string&, double&> timeouts[] = {
      {request->timeout_create, request->custom_timeouts.create_s},
      {request->timeout_update, request->custom_timeouts.update_s},
      {request->timeout_delete, request->custom_timeouts.delete_s},
      {request->timeout_read, request->custom_timeouts.read_s}};
  for (const auto& [text, seconds] : timeouts) {
    if (text.empty()) continue;
    const auto parsed = ParseGoDuration(text);
    if (!parsed) return Status(Code::kUnknown, "unable to parse customTimeout Value " + text);
    seconds = *parsed;
  }
  return Status();
}

Status CheckAliases(const std::vector<Alias>& aliases) {
  for (const Alias& alias : aliases) {
    if (!alias.urn.empty() && !alias.urn.valid()) {
      return Status(Code::kInvalidArgument, "invalid alias URN: invalid URN " + Quote(alias.urn.str()));
    }
    if (!alias.parent_urn.empty() && !alias.parent_urn.valid()) {
      return Status(Code::kInvalidArgument, "invalid parent alias URN: invalid URN " + Quote(alias.parent_urn.str()));
    }
  }
  return Status();
}

}  // namespace

std::shared_ptr<const Goal> MonitorService::ForChildren(const Goal& parent) {
  if (last_for_children_ && GivesTheSame(*last_for_children_, parent)) return last_for_children_;
  auto kept = std::make_shared<Goal>();
  ForEachInherited([&](const auto& field) { kept.get()->*field.goal = parent.*field.goal; });
  kept->provider = parent.provider;
  return last_for_children_ = std::move(kept);
}

void MonitorService::InheritFromParent(RegisterResourceRequest* request) const {
  auto found = for_children_.find(request->parent);
  if (request->parent.empty() || found == for_children_.end()) return;
  const Goal& parent = *found->second;
  ForEachInherited([&](const auto& field) { Inherit(parent.*field.goal, &(request->*field.goal)); });
  const bool local_component = !request->remote && !request->custom;
  const bool served = decisions::ServesChild(parent.provider, request->type, local_component);
  if (request->provider.empty() && served) request->provider = parent.provider;
}

Task<Status> MonitorService::Transform(GoalDraft* r) {
  RegisterResourceRequest& request = r->request;
  const bool asked = !request.transforms.empty();
  if (asked && !request.uses_output_values) {
    request.inputs = WithDependencies(request.inputs, request.property_dependencies);
  }
  r->own_transforms = transforms_.Own(request);
  std::vector<Callback> transforms = transforms_.For(r->own_transforms, request.parent);
  if (!transforms.empty()) {
    std::vector<Urn> dependencies = request.dependencies;
    KP_CO_TRY(co_await transforms_.Apply(std::move(transforms), &request));
    if (!asked) request.dependencies = std::move(dependencies);
  }
  if (asked) {
    KP_CO_TRY(CheckUrns(request.dependencies, "dependency"));
    DropRepeated(&request.dependencies);
    request.property_dependencies.clear();
  }
  for (const auto& [key, value] : request.inputs) {
    std::vector<Urn> carried;
    CollectOutputDependencies(value, &carried);
    auto& of_property = request.property_dependencies[key];
    for (const Urn& urn : carried) AddUnique(&of_property, urn);
  }
  co_return Status();
}

Task<Status> MonitorService::ChooseProviders(GoalDraft* r) {
  RegisterResourceRequest& request = r->request;
  if (!request.custom && !request.parent.empty()) {
    auto of_parent = component_providers_.find(request.parent);
    if (of_parent != component_providers_.end()) {
      request.providers.insert(of_parent->second.begin(), of_parent->second.end());
    }
  }
  const bool needs_provider = (request.custom && !IsProviderType(request.type)) || request.remote;
  if (!needs_provider) co_return Status();
  auto wanted = RequestFor(std::string(PackageOfType(request.type)), request.version, request.plugin_download_url,
                           request.plugin_checksums, request.package_ref);
  if (!wanted.ok()) co_return wanted.status();
  Result<std::string> reference = co_await ReferenceFor(*wanted, request.provider);
  if (!reference.ok()) co_return reference.status();
  r->provider_reference = *reference;
  for (const auto& [package, given] : request.providers) {
    Result<std::string> resolved = co_await ReferenceFor(*wanted, given);
    if (!resolved.ok()) co_return resolved.status();
    r->provider_references[package] = *resolved;
  }
  co_return Status();
}

Status MonitorService::AddProviderInputs(RegisterResourceRequest* request) const {
  if (!IsProviderType(request->type)) return Status();
  if (!request->version.empty()) {
    if (!IsSemver(request->version)) {
      return Status(Code::kUnknown, "ResourceMonitor.RegisterResource(" + request->type + "," + request->name +
                                        "): passed invalid version: " + Quote(request->version));
    }
    SetProviderVersion(&request->inputs, request->version);
  }
  if (!request->plugin_download_url.empty()) SetProviderUrl(&request->inputs, request->plugin_download_url);
  if (!request->env_var_mappings.empty()) SetEnvVarMappings(&request->inputs, request->env_var_mappings);
  if (!request->package_ref.empty()) {
    auto known = packages_.find(request->package_ref);
    if (known == packages_.end()) {
      return Status(Code::kUnknown, "unknown provider package '" + request->package_ref + "'");
    }
    SetProviderRequest(&request->inputs, known->second);
  }
  const ProviderRequest* required = parts_.defaults.Required(std::string(ProviderPackage(request->type)));
  if (required && request->version.empty() && request->plugin_download_url.empty()) {
    if (!required->version.empty()) SetProviderVersion(&request->inputs, required->version);
    if (!required->download_url.empty()) SetProviderUrl(&request->inputs, required->download_url);
  }
  return Status();
}

Task<Status> MonitorService::Prepare(GoalDraft* r) {
  RegisterResourceRequest& request = r->request;
  InheritFromParent(&request);
  if (Status usable = CheckTypeName(request.type); !usable.ok()) co_return usable;
  if ((request.custom || request.remote) && !IsValidTypeToken(request.type)) {
    co_return Status(Code::kInvalidArgument,
                     "Type '" + request.type + "' is not a valid type token (must have format '*:*:*')");
  }
  if (!request.env_var_mappings.empty() && !IsProviderType(request.type)) {
    co_return Status(Code::kInvalidArgument, "envVarMappings can only be used with provider resources");
  }
  if (request.has_legacy_aliases) {
    for (Alias& alias : request.aliases) MendNodeAlias(&alias);
  }
  KP_CO_TRY(ReadDependencies(&request));
  if (request.custom || request.remote) {
    request.provider =
        ResolveProvider(request.provider, request.providers, request.parent, std::string(PackageOfType(request.type)));
  }
  KP_CO_TRY(ReadTimeouts(&request));
  KP_CO_TRY(co_await Transform(r));
  migrations_of_components_.Join(&request);
  KP_CO_TRY(co_await ChooseProviders(r));
  KP_CO_TRY(CheckAliases(request.aliases));
  co_return AddProviderInputs(&request);
}

// The rest of the goal, once it is known how the resource is made.
Status MonitorService::Complete(GoalDraft* r) {
  RegisterResourceRequest& request = r->request;
  for (size_t i = 0; i < request.hide_diffs.size(); ++i) {
    auto path = PropertyPath::Parse(request.hide_diffs[i]);
    if (!path.ok()) return path.status().Wrap(std::to_string(i));
    request.hide_diffs[i] = path->str();
  }
  if (!request.deleted_with.empty()) KP_TRY(CheckUrn(request.deleted_with, "DeletedWith"));
  request.provider = r->provider_reference;
  request.source_position = positions_.Relative(request.source_position);
  request.stack_trace = positions_.Trace(request.stack_trace, request.parent_stack_trace_handle);
  return Status();
}

void MonitorService::Remember(GoalDraft* r, const Urn& urn, const Goal& goal, const std::string& id) {
  transforms_.Registered(urn, goal.parent, std::move(r->own_transforms));
  if (!goal.custom) component_providers_[urn] = std::move(r->request.providers);
  settled_.Settle(urn, goal.parent, goal.custom, id);
}

// The outputs of a component come later, and are published then.
void MonitorService::Publish(const Goal& goal, const State& state) const {
  if (!parts_.published) return;
  std::vector<Urn> aliases = state.aliases;
  for (const Alias& alias : goal.aliases) {
    if (!alias.urn.empty()) aliases.push_back(alias.urn);
  }
  if (state.custom) {
    parts_.published->Publish({state.urn, state.id, state.outputs}, aliases);
  } else {
    parts_.published->RememberAliases(state.urn, std::move(aliases));
  }
}

Task<Result<RegisterResourceResponse>> MonitorService::RegisterLocal(GoalDraft* r) {
  KP_CO_TRY(Complete(r));
  std::vector<Callback> migrations = std::move(r->request.state_migrations);
  auto goal = std::make_shared<Goal>(std::move(static_cast<Goal&>(r->request)));
  goal->inputs = FlattenOutputs(goal->inputs);
  std::optional<Parameterization> extension;
  auto extended = extensions_.find(r->request.package_ref);
  if (!r->request.package_ref.empty() && extended != extensions_.end()) {
    extension = extended->second;
    goal->extension_ref = r->request.package_ref;
  }
  Result<ResourceAnswer> registered = co_await parts_.requests.Register(goal, extension, std::move(migrations));
  if (!registered.ok()) {
    co_return Status(Code::kUnavailable, "resource monitor shut down while waiting on step's done channel");
  }
  if (registered->outcome != RegisterOutcome::kSuccess && !r->request.supports_result_reporting) {
    co_return Status(Code::kInternal, "resource registration failed");
  }
  const State& state = *registered->state;
  if (registered->outcome == RegisterOutcome::kSuccess) Publish(*goal, state);
  for_children_[state.urn] = ForChildren(*goal);
  Remember(r, state.urn, *goal, state.id);
  RegisterResourceResponse response;
  response.urn = state.urn;
  response.id = state.id;
  response.outcome = registered->outcome;
  response.unknown = registered->unknown;
  if (goal->custom) response.outputs = state.outputs;
  co_return response;
}

Task<Result<RegisterResourceResponse>> MonitorService::Register(RegisterResourceRequest request) {
  Busy busy(this);
  if (!request.parent.empty()) KP_CO_TRY(CheckUrn(request.parent, "parent"));
  parts_.run.rows().migrations().Follow(&request.parent);
  auto in_flight = settled_.Enter(request.parent);
  GoalDraft r;
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
  Busy busy(this);  // the caller may have given up by now
  Result<ResourceAnswer> registered = co_await parts_.requests.Register(goal, std::nullopt);
  if (!registered.ok()) co_return registered.status();
  co_return registered->state->urn;
}

}  // namespace kingpost::engine
