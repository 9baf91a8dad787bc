// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/from_states.h"

#include <algorithm>

#include "languages/codegen/names.h"
#include "languages/codegen/values.h"
#include "languages/pcl/datum.h"
#include "model/resource_fields.h"
#include "model/stack_reference.h"

namespace kingpost::codegen {

namespace {

// "300s": what SDKs take for a timeout.
ExpressionPtr Timeouts(const CustomTimeouts& timeouts) {
  std::vector<NamedExpression> fields;
  const std::pair<const char*, double> all[] = {{"create", timeouts.create_s},
                                                {"update", timeouts.update_s},
                                                {"delete", timeouts.delete_s},
                                                {"read", timeouts.read_s}};
  for (const auto& [name, seconds] : all) {
    if (seconds != 0) fields.push_back({name, MakeText(pcl::NumberText(seconds) + "s")});
  }
  return MakeObject(fields, /*typed=*/true);
}

class Maker {
 public:
  explicit Maker(const StateSource& source) : source_(source), references_(source.states) {}

  GeneratedProgram Make() {
    std::map<Urn, std::vector<NamedExpression>> inputs;
    // Inputs first: the references that they make are part of the order.
    for (const StatePtr& state : source_.states) {
      if (!IsComponent(*state)) inputs[state->urn] = InputsOf(*state, source_, &references_, &generated_);
    }
    for (const StatePtr& state : references_.InOrder()) {
      generated_.program.resources.push_back(Declare(*state, std::move(inputs[state->urn])));
    }
    generated_.program.packages = source_.packages;
    return std::move(generated_);
  }

 private:
  // A component of the program itself.
  static bool IsComponent(const State& state) { return !state.custom && state.provider.empty(); }

  std::string VariableOf(const Urn& urn) const {
    const auto named = source_.names.find(urn);
    return named == source_.names.end() ? std::string(urn.name()) : named->second;
  }

  ExpressionPtr RefTo(const Urn& urn) {
    std::vector<UndeclaredResource>& outside = generated_.program.undeclared_resources;
    const auto same = [&](const UndeclaredResource& other) { return other.key == urn.str(); };
    if (!references_.Declares(urn) && std::none_of(outside.begin(), outside.end(), same)) {
      outside.push_back({urn.str(), VariableOf(urn)});
    }
    return codegen::Make(ResourceRef{urn.str()});
  }

  ExpressionPtr RefsTo(const std::vector<Urn>& urns) {
    TupleLiteral list;
    for (const Urn& urn : urns) list.elements.push_back(RefTo(urn));
    return codegen::Make(std::move(list));
  }

  Resource Declare(const State& state, std::vector<NamedExpression> inputs) {
    Resource resource;
    resource.key = state.urn.str();
    resource.variable = VariableOf(state.urn);
    resource.name = state.urn.name();
    resource.token = state.type;
    resource.inputs = std::move(inputs);
    if (IsComponent(state)) resource.kind = Resource::Kind::kComponent;
    if (state.external && state.type != kStackReferenceType) {
      resource.kind = Resource::Kind::kRead;
      resource.id = MakeText(state.id);
      resource.inputs.clear();  // it is what it is
    }
    resource.plugin_version = PluginVersion(state);
    SetOptions(state, &resource.options);
    return resource;
  }

  // The version of a parameterized package is that of its plugin, which has another name.
  std::string PluginVersion(const State& state) const {
    const auto plugin = RecordedPlugin(state, *source_.snapshot);
    return plugin && !plugin->parameterization ? plugin->version : "";
  }

  void SetOptions(const State& state, std::vector<NamedExpression>* options) {
    const auto add = [options](std::string_view name, ExpressionPtr value) {
      options->push_back({std::string(name), std::move(value)});
    };
    const auto texts = [&add](const char* name, const std::vector<std::string>& list) {
      if (!list.empty()) add(name, MakeTexts(list));
    };
    if (!state.parent.empty() && state.parent.qualified_type() != kRootStackType) add("parent", RefTo(state.parent));
    const auto provider = ProviderReference::Parse(state.provider);
    if (provider.ok() && !IsDefaultProviderUrn(provider->urn)) add("provider", RefTo(provider->urn));
    const std::vector<Urn> dependencies = UntoldDependencies(state);
    if (!dependencies.empty()) add("dependsOn", RefsTo(dependencies));
    if (!state.import_id.empty()) add("import", MakeText(state.import_id));
    ForEachRecorded(state, [&](const auto& field, const auto& value) {
      if constexpr (std::decay_t<decltype(field)>::kIsFlag) {
        if (value) add(field.program, codegen::Make(Literal{Value(true)}));
      }
    });
    texts("ignoreChanges", state.ignore_changes);
    texts("additionalSecretOutputs", state.additional_secret_outputs);
    texts("replaceOnChanges", state.replace_on_changes);
    texts("hideDiffs", state.hide_diffs);
    if (!state.custom_timeouts.empty()) add("customTimeouts", Timeouts(state.custom_timeouts));
    if (!state.deleted_with.empty()) add("deletedWith", RefTo(state.deleted_with));
    if (!state.replace_with.empty()) add("replaceWith", RefsTo(state.replace_with));
  }

  // Those that neither an input nor an option tells already.
  std::vector<Urn> UntoldDependencies(const State& state) const {
    std::vector<Urn> urns = state.dependencies;
    std::erase_if(urns, [&](const Urn& urn) { return urn == state.parent || references_.Refers(state.urn, urn); });
    return urns;
  }

  const StateSource& source_;
  References references_;
  GeneratedProgram generated_;
};

}  // namespace

bool IsDeclared(const State& state) {
  return !state.pending_delete && !state.is_view() && state.type != kRootStackType && !IsDefaultProviderUrn(state.urn);
}

std::optional<ProviderRequest> RecordedPlugin(const State& state, const Snapshot& snapshot) {
  const std::string package = PackageOf(state.type);
  if (state.is_provider()) return RecordedRequest(package, state.inputs);
  const auto reference = ProviderReference::Parse(state.provider);
  if (!reference.ok()) return std::nullopt;
  for (const StatePtr& other : snapshot.resources) {
    const bool is_provider = other->urn == reference->urn && other->id == reference->id;
    if (is_provider) return RecordedRequest(package, other->inputs);
  }
  return std::nullopt;
}

GeneratedProgram ProgramOfStates(const StateSource& source) { return Maker(source).Make(); }

}  // namespace kingpost::codegen
