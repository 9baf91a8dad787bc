// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/from_states.h"

#include <algorithm>

#include "languages/codegen/packages.h"
#include "languages/pcl/datum.h"
#include "model/provider_inputs.h"
#include "model/resource_fields.h"
#include "model/stack_reference.h"

namespace kingpost::codegen {

namespace {

ExpressionPtr TextList(const std::vector<std::string>& texts) {
  TupleLiteral list;
  for (const std::string& text : texts) list.elements.push_back(MakeText(text));
  return Make(std::move(list));
}

// "300s": what SDKs take for a timeout.
ExpressionPtr Timeouts(const CustomTimeouts& timeouts) {
  ObjectLiteral object;
  object.typed = true;
  const auto add = [&](const char* name, double seconds) {
    if (seconds != 0) object.Add(name, MakeText(pcl::NumberText(seconds) + "s"));
  };
  add("create", timeouts.create_s);
  add("update", timeouts.update_s);
  add("delete", timeouts.delete_s);
  add("read", timeouts.read_s);
  return Make(std::move(object));
}

class Maker {
 public:
  explicit Maker(const StateSource& source)
      : source_(source), references_(source.states), settings_(source.known_settings) {
    for (const StatePtr& state : source.states) declared_[state->urn] = state;
  }

  GeneratedProgram Make() {
    GeneratedProgram generated;
    std::map<Urn, std::vector<NamedExpression>> inputs;
    std::map<Urn, std::string> known = source_.names;
    for (const auto& [urn, state] : declared_) known.emplace(urn, urn.name());
    // Inputs first: the references that they make are part of the order.
    for (const StatePtr& state : source_.states) {
      ValueBuilder builder(*state, &references_, &settings_, known, &generated.notes);
      if (state->custom || !state->provider.empty()) inputs[state->urn] = builder.Inputs(SchemaOf(*state));
    }
    for (const StatePtr& state : references_.InOrder()) {
      generated.program.resources.push_back(Declare(*state, std::move(inputs[state->urn])));
    }
    generated.program.undeclared_resources = std::move(outsiders_);
    generated.program.settings = settings_.declared();
    generated.program.packages = source_.packages;
    generated.settings = settings_.added();
    return generated;
  }

 private:
  const schema::Resource* SchemaOf(const State& state) const {  // null if it is not known
    const auto package = source_.packages.find(PackageOf(state.type));
    return package == source_.packages.end() ? nullptr : package->second->FindResource(state.type);
  }

  std::string VariableOf(const Urn& urn) const {
    const auto named = source_.names.find(urn);
    return named == source_.names.end() ? std::string(urn.name()) : named->second;
  }

  ExpressionPtr RefTo(const Urn& urn) {
    const auto same = [&](const UndeclaredResource& outsider) { return outsider.key == urn.str(); };
    if (!declared_.count(urn) && std::none_of(outsiders_.begin(), outsiders_.end(), same)) {
      outsiders_.push_back({urn.str(), VariableOf(urn)});
    }
    return codegen::Make(ResourceRef{urn.str()});
  }

  Resource Declare(const State& state, std::vector<NamedExpression> inputs) {
    Resource resource;
    resource.key = state.urn.str();
    resource.variable = VariableOf(state.urn);
    resource.name = state.urn.name();
    resource.token = state.type;
    resource.inputs = std::move(inputs);
    if (!state.custom && state.provider.empty()) resource.kind = Resource::Kind::kComponent;
    const bool reference = state.type == kStackReferenceType;
    if (state.external && !reference) {
      resource.kind = Resource::Kind::kRead;
      resource.id = state.id;
      resource.inputs.clear();  // it is what it is
    }
    SetPlugin(state, &resource);
    SetOptions(state, &resource.options);
    return resource;
  }

  void SetPlugin(const State& state, Resource* resource) const {
    const StatePtr provider =
        state.is_provider() ? std::make_shared<State>(state) : ProviderOf(state, *source_.snapshot);
    if (!provider) return;
    const auto plugin = RecordedRequest(PackageOf(state.type), provider->inputs);
    // The version of a parameterized package is that of its plugin, which has another name.
    if (plugin && !plugin->parameterization) resource->plugin_version = plugin->version;
  }

  void SetOptions(const State& state, std::vector<NamedExpression>* options) {
    const auto add = [options](std::string_view name, ExpressionPtr value) {
      if (value) options->push_back({std::string(name), std::move(value)});
    };
    const auto texts = [&add](const char* name, const std::vector<std::string>& list) {
      if (!list.empty()) add(name, TextList(list));
    };
    if (!state.parent.empty() && state.parent.qualified_type() != kRootStackType) add("parent", RefTo(state.parent));
    const auto provider = ProviderReference::Parse(state.provider);
    if (provider.ok() && !IsDefaultProviderUrn(provider->urn)) add("provider", RefTo(provider->urn));
    add("dependsOn", Dependencies(state));
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
    if (state.replace_with.empty()) return;
    TupleLiteral with;
    for (const Urn& urn : state.replace_with) with.elements.push_back(RefTo(urn));
    add("replaceWith", codegen::Make(std::move(with)));
  }

  // Those that neither an input nor an option tells already.
  ExpressionPtr Dependencies(const State& state) {
    TupleLiteral list;
    for (const Urn& urn : state.dependencies) {
      if (references_.Refers(state.urn, urn) || urn == state.parent) continue;
      list.elements.push_back(RefTo(urn));
    }
    return list.elements.empty() ? nullptr : codegen::Make(std::move(list));
  }

  const StateSource& source_;
  std::map<Urn, StatePtr> declared_;
  References references_;
  Settings settings_;
  std::vector<UndeclaredResource> outsiders_;
};

}  // namespace

bool IsDeclared(const State& state) {
  return !state.pending_delete && !state.is_view() && state.type != kRootStackType && !IsDefaultProviderUrn(state.urn);
}

StatePtr ProviderOf(const State& state, const Snapshot& snapshot) {
  const auto reference = ProviderReference::Parse(state.provider);
  if (!reference.ok()) return nullptr;
  for (const StatePtr& other : snapshot.resources) {
    if (other->urn == reference->urn && other->id == reference->id) return other;
  }
  return nullptr;
}

GeneratedProgram ProgramOfStates(const StateSource& source) { return Maker(source).Make(); }

}  // namespace kingpost::codegen
