// SPDX-License-Identifier: Apache-2.0
#include "decisions/refresh_rules.h"

#include <unordered_set>

#include "model/restore_secrets.h"

namespace kingpost::decisions {

namespace {

// The recorded outputs, without those that are secrets by additionalSecretOutputs alone: these are sealed whenever the
// resource is recorded, after its provider has compared what it found.
PropertyMap SecretsOfProvider(const State& recorded) {
  PropertyMap known = recorded.outputs;
  for (const std::string& key : recorded.additional_secret_outputs) known.Erase(key);
  return known;
}

}  // namespace

std::vector<StatePtr> ToRefresh(const Rows& rows, const Selection& selection, bool flagged_only) {
  Selection::Refresh of_refresh(selection);
  std::vector<StatePtr> wanted;
  for (const StatePtr& recorded : rows.base()) {
    if (recorded->is_view() || (flagged_only && !recorded->refresh_before_update)) continue;
    if (of_refresh.Takes(*recorded)) wanted.push_back(recorded);
  }
  return wanted;
}

std::vector<StatePtr> NotRegistered(const Rows& rows, const Selection& selection) {
  Selection::Refresh of_refresh(selection);
  std::vector<StatePtr> wanted;
  std::unordered_set<Urn> seen;  // of states that share a name one is read
  for (const StatePtr& recorded : rows.base()) {
    if (recorded->is_view() || rows.IsOperatedOn(recorded->urn) || seen.count(recorded->urn) > 0) continue;
    if (!of_refresh.Takes(*recorded)) continue;
    seen.insert(recorded->urn);
    wanted.push_back(recorded);
  }
  return wanted;
}

std::vector<StatePtr> BaseAfterRefresh(const std::vector<StatePtr>& base,
                                       const std::map<const State*, StatePtr>& found) {
  std::vector<StatePtr> resources;
  std::map<Urn, StatePtr> removed;
  for (const StatePtr& recorded : base) {
    const auto read = found.find(recorded.get());
    if (read == found.end()) {
      resources.push_back(recorded);
    } else if (read->second) {
      resources.push_back(read->second);
    } else {
      removed[recorded->urn] = recorded;
    }
  }
  return DropEmptyPropertyDependencies(DropDanglingReferences(resources, removed));
}

State RefreshedAsRegistered(const State& old_state, const State& draft, RunMode mode, bool waits_for_replacement) {
  const bool is_read = old_state.custom && !old_state.is_provider() && !waits_for_replacement;
  State next = is_read ? draft : old_state;
  next.urn = draft.urn;
  next.type = draft.type;
  next.parent = draft.parent;
  next.aliases = draft.aliases;
  next.id = old_state.id;
  next.inputs = old_state.inputs;
  next.outputs = old_state.outputs;
  if (mode == RunMode::kRefresh) return next;
  next.provider = old_state.provider;
  next.replacement_trigger = old_state.replacement_trigger;
  next.taint = old_state.taint;
  return next;
}

void SealOutputs(State* state) {
  for (const std::string& key : state->additional_secret_outputs) {
    const Value* value = key == "id" ? nullptr : state->outputs.Find(key);
    if (value && !value->is_secret()) state->outputs.Set(key, Value::Secret(*value));
  }
  if (!ContainsSecrets(state->inputs)) return;
  std::vector<std::string> leaked;
  for (const auto& [key, value] : state->outputs) {
    const Value* input = value.is_secret() ? nullptr : state->inputs.Find(key);
    if (input && input->is_secret()) leaked.push_back(key);
  }
  for (const std::string& key : leaked) state->outputs.Set(key, Value::Secret(*state->outputs.Find(key)));
}

PropertyMap TakeFound(const ReadResponse& read, const State& recorded, State* next) {
  next->id = read.id;
  next->refresh_before_update = read.refresh_before_update;
  // What is as it was recorded, to the letter, is held once.
  const auto unless_equal = [](PropertyMap found, const PropertyMap& known) {
    if (!known.text().empty() && DeepEqual(found, known)) return known;
    return found;
  };
  if (read.inputs) next->inputs = unless_equal(RestoreSecrets(*read.inputs, recorded.inputs), recorded.inputs);
  PropertyMap found = unless_equal(RestoreSecrets(*read.outputs, SecretsOfProvider(recorded)), recorded.outputs);
  next->outputs = found;
  SealOutputs(next);
  return found;
}

PropertyMap KnownSecrets(const State& recorded, const State& next) {
  PropertyMap known = SecretsOfProvider(recorded);
  for (const auto& [key, value] : next.inputs) known.Erase(key);
  return known;
}

}  // namespace kingpost::decisions
