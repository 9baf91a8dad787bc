// SPDX-License-Identifier: Apache-2.0
#include "engine/providers/provider_registry.h"

#include <algorithm>

#include "base/encoding.h"
#include "decisions/remaking.h"
#include "engine/providers/extension.h"
#include "model/semver.h"

namespace kingpost::providers {

ProviderRegistry::ProviderRegistry(Loop& loop, const Operation& operation, const decisions::Rows& rows,
                                   Notices& notices, ProviderPtr builtins, ProviderMode mode)
    : loop_(loop),
      operation_(operation),
      rows_(rows),
      notices_(notices),
      builtins_(std::move(builtins)),
      mode_(std::move(mode)),
      planning_(std::make_shared<Semaphore>(loop, std::max(kPlanningCallsMax, operation.options.parallel))) {}

ProviderPtr ProviderRegistry::Get(const std::string& reference) const {
  auto found = providers_.find(reference);
  return found == providers_.end() ? nullptr : found->second;
}

void ProviderRegistry::Put(const Urn& urn, const std::string& id, ProviderPtr provider) {
  const std::string reference = urn.str() + "::" + id;
  auto alias = aliases_.find(urn);
  if (alias != aliases_.end()) providers_[alias->second.str() + "::" + id] = provider;
  providers_[reference] = std::move(provider);
}

void ProviderRegistry::RegisterAlias(const Urn& urn, const Urn& old_urn) {
  if (urn != old_urn) aliases_.insert_or_assign(urn, old_urn);
}

ProviderPtr ProviderRegistry::TakeUnconfigured(const Urn& urn) {
  auto found = unconfigured_.find(urn);
  if (found == unconfigured_.end()) return nullptr;
  ProviderPtr provider = std::move(found->second);
  unconfigured_.erase(found);
  return provider;
}

Task<Result<ProviderPtr>> ProviderRegistry::Load(Urn needed_by, std::string package, PropertyMap inputs) {
  auto parsed = ParseProviderInputs(package, inputs);
  if (auto* error = std::get_if<ProviderInputError>(&parsed)) {
    co_return Status(Code::kInvalidArgument, "parse " + error->property + " for " + package + " provider '" +
                                                 needed_by.str() + "': " + error->reason);
  }
  auto plugin = std::move(std::get<ProviderPlugin>(parsed));
  if (plugin.spec.name == "pulumi") co_return builtins_;
  plugin.spec.needed_by = needed_by.str();
  Result<ProviderPtr> loaded = co_await operation_.host->LoadProvider(plugin.spec);
  if (!loaded.ok()) co_return loaded.status();
  ProviderPtr provider = std::make_shared<ConfiguredProvider>(*loaded, mode_, planning_);
  if (plugin.parameterization) {
    auto answer = co_await provider->Parameterize(*plugin.parameterization);
    if (!answer.ok()) co_return answer.status();
    if (answer->first != plugin.parameterization->name) {
      co_return Status(Code::kInternal, "parameterize response name " + Quote(answer->first) +
                                            " does not match expected package " + Quote(plugin.parameterization->name));
    }
  }
  co_return provider;
}

Task<Status> ProviderRegistry::Configure(ProviderPtr provider, Urn urn, std::string id, PropertyMap inputs) {
  ConfigureRequest request;
  request.urn = urn;
  request.name = urn.name();
  request.type = urn.type();
  request.id = std::move(id);
  request.inputs = PluginConfig(inputs);
  co_return co_await provider->Configure(std::move(request));
}

Task<Result<CheckResponse>> ProviderRegistry::Check(CheckRequest request) {
  const std::string package(ProviderPackage(request.urn.type()));
  auto parsed = ParseProviderInputs(package, request.new_inputs);
  if (auto* error = std::get_if<ProviderInputError>(&parsed)) {
    CheckResponse refused;
    refused.failures.push_back({error->property, error->reason});
    co_return refused;
  }
  Result<ProviderPtr> provider = co_await Load(request.urn, package, request.new_inputs);
  if (!provider.ok()) co_return provider.status();

  const PropertyMap asked = request.new_inputs;
  request.old_inputs = PluginConfig(request.old_inputs);
  request.new_inputs = PluginConfig(request.new_inputs);
  const Urn urn = request.urn;
  Result<CheckResponse> answer = co_await (*provider)->CheckConfig(std::move(request));
  if (!answer.ok() || !answer->failures.empty()) co_return answer;
  unconfigured_[urn] = *provider;

  const Value* asked_version = asked.Find("version");
  const Value* got_version = answer->inputs.Find("version");
  if (asked_version && got_version && !DeepEqual(*asked_version, *got_version)) {
    auto text = [](const Value& v) { return Quote(v.is_string() ? v.as_string() : std::string()); };
    co_return Status(Code::kInternal, "provider " + Quote(urn.str()) + " attempted to change version from " +
                                          text(*asked_version) + " to " + text(*got_version));
  }
  if (asked_version && !got_version) answer->inputs.Set("version", *asked_version);
  if (const Value* internal = asked.Find(kInternalKey)) {
    if (answer->inputs.Has(kInternalKey)) {
      notices_.Warning(urn, "provider attempted to use __internal key that is reserved by the engine");
    }
    answer->inputs.Set(kInternalKey, *internal);
  }
  co_return answer;
}

Task<Result<DiffResponse>> ProviderRegistry::Diff(DiffRequest request) {
  auto fresh = unconfigured_.find(request.urn);
  ProviderPtr provider = fresh != unconfigured_.end() ? fresh->second : Get(request.urn.str() + "::" + request.id);
  KP_ASSERT(provider != nullptr, "a provider is checked or configured before it is diffed");
  request.old_inputs = PluginConfig(request.old_inputs);
  request.new_inputs = PluginConfig(request.new_inputs);
  const PropertyMap old_outputs = request.old_outputs, new_inputs = request.new_inputs;
  Result<DiffResponse> diff = co_await provider->DiffConfig(std::move(request));
  if (diff.ok() && diff->changes == DiffChanges::kUnknown) {
    diff->changes = DeepEqual(old_outputs, new_inputs) ? DiffChanges::kNone : DiffChanges::kSome;
  }
  co_return diff;
}

Task<Status> ProviderRegistry::Same(Urn urn, std::string id, PropertyMap inputs, bool from_check) {
  if (id.empty() || id == kUnknownString) {
    co_return Status(Code::kInternal, "provider '" + urn.str() + "' has an unknown ID");
  }
  if (Get(urn.str() + "::" + id)) co_return Status();
  ProviderPtr provider = from_check ? TakeUnconfigured(urn) : nullptr;
  if (!provider) {
    const std::string package(ProviderPackage(urn.type()));
    Result<ProviderPtr> loaded = co_await Load(urn, package, inputs);
    if (!loaded.ok()) {
      co_return loaded.status().Wrap("load plugin for " + package + " provider '" + urn.str() + "'");
    }
    provider = *loaded;
  }
  KP_CO_TRY((co_await Configure(provider, urn, id, inputs)).Wrap("configure provider '" + urn.str() + "'"));
  if (from_check || !Get(urn.str() + "::" + id)) Put(urn, id, provider);
  co_return Status();
}

Task<Status> ProviderRegistry::Ensure(std::string reference) {
  if (reference.empty() || Get(reference)) co_return Status();
  auto parsed = ProviderReference::Parse(reference);
  if (!parsed.ok()) co_return parsed.status().Wrap("invalid provider reference " + reference);
  auto& pending = ensuring_[reference];
  if (pending) {
    auto waiting = pending;
    co_await waiting->done;
    co_return waiting->status;
  }
  pending = std::make_shared<Pending>(loop_);
  auto own = pending;
  StatePtr recorded = rows_.OldProvider(*parsed);
  if (!recorded) {
    own->status = Status(Code::kNotFound, "could not find provider " + reference);
  } else {
    own->status = (co_await Same(recorded->urn, recorded->id, recorded->inputs, false))
                      .Wrap("could not create provider " + reference);
  }
  own->done.Set();
  ensuring_.erase(reference);
  co_return own->status;
}

void ProviderRegistry::LeaveOut(const Urn& urn, PropertyMap inputs) {
  left_out_.insert_or_assign(urn, std::move(inputs));
}

Task<Status> ProviderRegistry::EnsureLeftOut(std::string reference) {
  if (left_out_.empty() || Get(reference)) co_return Status();
  const auto parsed = ProviderReference::Parse(reference);
  const auto found = parsed.ok() ? left_out_.find(parsed->urn) : left_out_.end();
  if (found == left_out_.end()) co_return Status();
  auto& pending = ensuring_[reference];
  if (pending) {
    auto waiting = pending;
    co_await waiting->done;
    co_return waiting->status;
  }
  pending = std::make_shared<Pending>(loop_);
  auto own = pending;
  own->status = co_await ConfigureLeftOut(found->first, found->second);
  own->done.Set();
  ensuring_.erase(reference);
  co_return own->status;
}

Task<Status> ProviderRegistry::ConfigureLeftOut(Urn urn, PropertyMap inputs) {
  CheckRequest check;
  check.urn = urn;
  check.name = urn.name();
  check.type = urn.type();
  check.new_inputs = std::move(inputs);
  check.allow_unknowns = true;
  Result<CheckResponse> checked = co_await Check(std::move(check));
  if (!checked.ok()) co_return checked.status();
  if (!checked->failures.empty()) {
    const CheckFailure& failure = checked->failures.front();
    co_return Status(Code::kInvalidArgument,
                     "provider '" + urn.str() + "' has a problem: " + failure.property + ": " + failure.reason);
  }
  CreateRequest create;
  create.urn = urn;
  create.name = urn.name();
  create.type = urn.type();
  create.inputs = std::move(checked->inputs);
  create.preview = true;
  const Result<CreateResponse> made = co_await Create(std::move(create));
  co_return made.status();
}

Task<Status> ProviderRegistry::EnsureFor(StatePtr recorded) {
  if (!decisions::CanBeAskedAbout(recorded, rows_)) co_return Status();
  const Status ensured = co_await Ensure(recorded->provider);
  if (!ensured.ok() || recorded->extension_ref.empty()) co_return ensured;
  const auto& extensions = operation_.base->extensions;
  const auto known = extensions.find(recorded->extension_ref);
  if (known == extensions.end()) {
    co_return Status(Code::kNotFound, "extension blob for " + recorded->extension_ref + " (resource " +
                                          recorded->urn.str() + ") not found in snapshot");
  }
  const auto extension = ParseExtension(known->second);
  if (!extension.ok()) co_return extension.status();
  co_return co_await Extend(recorded->provider, recorded->extension_ref, *extension);
}

Task<Result<CreateResponse>> ProviderRegistry::Create(CreateRequest request) {
  ProviderPtr provider = TakeUnconfigured(request.urn);
  if (!provider) {
    // The second half of a replacement whose first half used up the checked instance.
    const std::string package(ProviderPackage(request.urn.type()));
    Result<ProviderPtr> loaded = co_await Load(request.urn, package, request.inputs);
    if (!loaded.ok()) {
      co_return loaded.status().Wrap("load plugin for " + package + " provider '" + request.urn.str() + "'");
    }
    provider = *loaded;
  }
  CreateResponse response;
  response.id = request.preview ? std::string(kUnknownString) : FormatUuid4(operation_.environment.random_bytes(16));
  response.outputs = PluginConfig(request.inputs);
  KP_CO_TRY(co_await Configure(provider, request.urn, response.id, request.inputs));
  Put(request.urn, response.id, provider);
  co_return response;
}

Task<Result<UpdateResponse>> ProviderRegistry::Update(UpdateRequest request) {
  ProviderPtr provider = TakeUnconfigured(request.urn);
  KP_ASSERT(provider != nullptr, "a provider is checked before it is updated");
  UpdateResponse response;
  response.outputs = PluginConfig(request.new_inputs);
  KP_CO_TRY(co_await Configure(provider, request.urn, request.id, request.new_inputs));
  Put(request.urn, request.id, provider);
  co_return response;
}

Task<Status> ProviderRegistry::Delete(const DeleteRequest& request) {
  providers_.erase(request.urn.str() + "::" + request.id);
  co_return Status();
}

Task<Status> ProviderRegistry::ParameterizeExtension(std::string reference, Parameterization extension) {
  ProviderPtr provider = Get(reference);
  if (!provider) co_return Status(Code::kNotFound, "provider " + reference + " not registered");
  if (!IsSemver(extension.version)) {
    co_return Status(Code::kUnknown,
                     "parse extension version " + Quote(extension.version) + ": not a semantic version");
  }
  auto answer = co_await provider->Parameterize(extension);
  if (!answer.ok()) {
    co_return answer.status().Wrap("parameterize provider for extension " + Quote(extension.name));
  }
  if (answer->first != extension.name) {
    co_return Status(Code::kInternal, "parameterize response name " + Quote(answer->first) +
                                          " does not match expected package " + Quote(extension.name));
  }
  co_return Status();
}

Task<Status> ProviderRegistry::Extend(std::string reference, std::string extension_ref, Parameterization extension) {
  auto& pending = extensions_[{reference, extension_ref}];
  if (pending) {
    auto waiting = pending;
    co_await waiting->done;
    co_return waiting->status;
  }
  pending = std::make_shared<Pending>(loop_);
  auto own = pending;
  own->status = co_await ParameterizeExtension(std::move(reference), std::move(extension));
  own->done.Set();
  co_return own->status;
}

}  // namespace kingpost::providers
