// SPDX-License-Identifier: Apache-2.0
// Rewrites what names a resource by a former URN (row 2.7).
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/json_access.h"
#include "model/snapshot.h"

namespace kingpost {
namespace {

using UrnMap = std::unordered_map<Urn, Urn>;

// The old URN of every aliased resource, and of every descendant whose type path changes with its parent's.
//
//     A, alias A0          A0 ─▶ A
//     C, parent A0         C's URN holds A0's type: it becomes one that holds A's
UrnMap CollectRenames(const std::vector<StatePtr>& resources) {
  UrnMap renames;
  for (const StatePtr& state : resources) {
    for (const Urn& alias : state->aliases) renames.emplace(alias, state->urn);
    const auto parent = renames.find(state->parent);
    if (state->parent.empty() || parent == renames.end()) continue;
    const Urn new_parent = parent->second;
    if (new_parent.qualified_type() == kRootStackType) continue;
    const Urn& urn = state->urn;
    renames[urn] = Urn::Make(urn.stack(), urn.project(), new_parent.qualified_type(), urn.type(), urn.name());
  }
  return renames;
}

// Writes to a copy that is made on the first change.
class Edit {
 public:
  Edit(const StatePtr& state, const UrnMap& renames) : old_(state), renames_(renames) {}

  StatePtr Run() {
    Rename(&State::urn);
    Rename(&State::parent);
    Rename(&State::deleted_with);
    Rename(&State::view_of);
    RenameList(&State::dependencies);
    RenameList(&State::replace_with);
    RenamePropertyDependencies();
    RenameProvider();
    if (!old_->aliases.empty()) next().aliases.clear();
    return copy_ ? copy_ : old_;
  }

 private:
  const Urn* NewName(const Urn& urn) const {
    if (urn.empty()) return nullptr;
    const auto found = renames_.find(urn);
    return found == renames_.end() || found->second == urn ? nullptr : &found->second;
  }

  State& next() {
    if (!copy_) copy_ = std::make_shared<State>(*old_);
    return *copy_;
  }

  void Rename(Urn State::*field) {
    if (const Urn* name = NewName((*old_).*field)) next().*field = *name;
  }

  void RenameList(std::vector<Urn> State::*field) {
    const std::vector<Urn>& urns = (*old_).*field;
    for (size_t i = 0; i < urns.size(); ++i) {
      if (const Urn* name = NewName(urns[i])) (next().*field)[i] = *name;
    }
  }

  void RenamePropertyDependencies() {
    for (const auto& [key, urns] : old_->property_dependencies) {
      for (size_t i = 0; i < urns.size(); ++i) {
        if (const Urn* name = NewName(urns[i])) next().property_dependencies[key][i] = *name;
      }
    }
  }

  void RenameProvider() {
    if (old_->provider.empty()) return;
    auto reference = ProviderReference::Parse(old_->provider);
    if (!reference.ok()) return;  // for VerifyIntegrity to say
    if (const Urn* name = NewName(reference->urn)) next().provider = ProviderReference{*name, reference->id}.str();
  }

  const StatePtr old_;
  const UrnMap& renames_;
  std::shared_ptr<State> copy_;
};

std::vector<StatePtr> RenameResources(const std::vector<StatePtr>& resources, const UrnMap& renames) {
  std::vector<StatePtr> normalized;
  normalized.reserve(resources.size());
  for (const StatePtr& state : resources) normalized.push_back(Edit(state, renames).Run());
  return normalized;
}

// [{"uuid": .., "references": {"identifier": "urn"}}]. Left as it was, to the byte, if nothing changes.
std::string RenameSnippets(const std::string& snippets_json, const UrnMap& renames) {
  if (snippets_json.empty()) return snippets_json;
  auto snippets = ParseOrderedJson(snippets_json);
  if (!snippets.is_array()) return snippets_json;  // for VerifyIntegrity to say

  bool changed = false;
  for (auto& snippet : snippets) {
    if (!snippet.is_object() || !snippet.contains("references") || !snippet["references"].is_object()) continue;
    for (auto& urn : snippet["references"]) {
      if (!urn.is_string()) continue;
      const auto found = renames.find(Urn(TextIn(urn)));
      if (found == renames.end() || found->second.str() == TextIn(urn)) continue;
      urn = found->second.str();
      changed = true;
    }
  }
  return changed ? snippets.dump() : snippets_json;
}

}  // namespace

std::vector<StatePtr> NormalizeUrns(const std::vector<StatePtr>& resources) {
  const UrnMap renames = CollectRenames(resources);
  return renames.empty() ? resources : RenameResources(resources, renames);
}

void NormalizeUrns(Snapshot* snapshot) {
  const UrnMap renames = CollectRenames(snapshot->resources);
  if (renames.empty()) return;
  snapshot->resources = RenameResources(snapshot->resources, renames);
  snapshot->snippets_json = RenameSnippets(snapshot->snippets_json, renames);
}

}  // namespace kingpost
