// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/import_listing.h"

#include <cctype>
#include <set>

#include "model/json_writer.h"
#include "model/provider_inputs.h"

namespace kingpost {

namespace {

constexpr std::string_view kIdToFillIn = "<PLACEHOLDER>";  // users search for it

// "Thing" of "things:index:Thing"
std::string TypeSuffix(const Urn& urn) {
  const std::string_view type = urn.type();
  std::string name(type.substr(type.rfind(':') + 1));
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

// The name in a provider reference; empty for default providers, which an import makes by itself.
Urn DeclaredProvider(const State& state) {
  const Result<ProviderReference> reference = ProviderReference::Parse(state.provider);
  return reference.ok() && !IsDefaultProviderUrn(reference->urn) ? reference->urn : Urn();
}

PropertyMap KnownInputs(const State& provider) {
  PropertyMap known;
  for (const auto& [key, value] : provider.inputs) {
    if (!ContainsUnknowns(value)) known.Set(key, value);
  }
  return known;
}

std::optional<ProviderRequest> PluginOf(const State& state, const std::map<Urn, PropertyMap>& provider_inputs) {
  const Result<ProviderReference> reference = ProviderReference::Parse(state.provider);
  if (!reference.ok()) return {};
  const auto inputs = provider_inputs.find(reference->urn);
  if (inputs == provider_inputs.end()) return {};
  return RecordedRequest(std::string(ProviderPackage(reference->urn.type())), inputs->second);
}

}  // namespace

void ImportListing::Emit(const EngineEvent& event) {
  const auto* begun = std::get_if<ResourcePreEvent>(&event);
  if (!begun) return;
  const StepMetadata& step = begun->metadata;
  GiveName(step.urn);
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  if (state && state->is_provider()) provider_inputs_[step.urn] = state->inputs;
  if (step.op != StepOp::kCreate || step.type == kRootStackType || IsDefaultProviderUrn(step.urn)) return;
  if (state->is_provider()) NoteOmissions(*state);
  creations_.push_back(state);
}

// The resource's own name if it can have it. It takes it from one that only came to it by being made unique.
void ImportListing::GiveName(const Urn& urn) {
  if (names_.count(urn)) return;
  std::string name(urn.name());
  if (const auto found = taken_.find(name); found != taken_.end()) {
    const Urn other = found->second;
    if (other.name() == name) {
      name = UniqueName(urn);
    } else {
      const std::string moved = UniqueName(other);
      taken_.erase(found);
      taken_[moved] = other;
      names_[other] = moved;
    }
  }
  taken_[name] = urn;
  names_[urn] = name;
}

std::string ImportListing::UniqueName(const Urn& urn) const {
  const std::string base = std::string(urn.name()) + TypeSuffix(urn);
  std::string name = base;
  for (int counter = 2; taken_.count(name); ++counter) name = base + std::to_string(counter);
  return name;
}

void ImportListing::NoteOmissions(const State& provider) {
  std::string unknown;
  for (const auto& [key, value] : provider.inputs) {
    if (ContainsUnknowns(value)) unknown += (unknown.empty() ? "" : ", ") + key;
  }
  if (unknown.empty()) return;
  omissions_.push_back("the configuration of provider " + provider.urn.str() +
                       " is not known during the preview; fill in before you import: " + unknown);
}

// "" for what an import file does not name: the root stack, default providers, nothing.
std::string ImportListing::NameOf(const Urn& urn) const {
  const auto found = names_.find(urn);
  return found == names_.end() || urn.qualified_type() == kRootStackType ? "" : found->second;
}

// Resources that others refer to and that are not created with the rest.
std::map<std::string, std::string> ImportListing::NameTable() const {
  std::map<std::string, std::string> table;
  std::set<Urn> listed;
  for (const StatePtr& state : creations_) {
    listed.insert(state->urn);
    for (const Urn& urn : {state->parent, DeclaredProvider(*state)}) {
      if (!NameOf(urn).empty() && !listed.count(urn)) table[NameOf(urn)] = urn.str();
    }
  }
  return table;
}

Status ImportListing::Write(const State& state, const EncodeOptions& encode, JsonWriter* json) const {
  const std::string name = NameOf(state.urn);
  json->BeginObject();
  json->TextUnlessEmpty("type", state.type);
  json->TextUnlessEmpty("name", name);
  if (state.custom && !state.is_provider()) json->TextUnlessEmpty("id", kIdToFillIn);
  json->TextUnlessEmpty("parent", NameOf(state.parent));
  json->TextUnlessEmpty("provider", NameOf(DeclaredProvider(state)));
  if (const auto plugin = PluginOf(state, provider_inputs_)) {
    json->TextUnlessEmpty("version", plugin->version);
    json->TextUnlessEmpty("pluginDownloadUrl", plugin->download_url);
  }
  json->BoolIfTrue("component", !state.custom);
  json->BoolIfTrue("remote", !state.custom && !state.provider.empty());
  if (const PropertyMap known = KnownInputs(state); state.is_provider() && !known.empty()) {
    const Result<std::string> inputs = EncodeProperties(known, state.urn, encode);
    if (!inputs.ok()) return inputs.status();
    json->Key("inputs");
    json->Json(*inputs);
  }
  if (name != state.urn.name()) json->TextUnlessEmpty("logicalName", state.urn.name());
  json->EndObject();
  return Status::Ok();
}

Result<std::string> ImportListing::Document(const EncodeOptions& encode) const {
  JsonWriter json("    ");
  json.BeginObject();
  if (const auto table = NameTable(); !table.empty()) {
    json.Key("nameTable");
    json.TextMap(table);
  }
  if (!creations_.empty()) {
    json.Key("resources");
    json.BeginArray();
    for (const StatePtr& state : creations_) {
      if (const Status written = Write(*state, encode, &json); !written.ok()) return written;
    }
    json.EndArray();
  }
  json.EndObject();
  return json.Take() + "\n";
}

}  // namespace kingpost
