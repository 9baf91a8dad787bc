// SPDX-License-Identifier: Apache-2.0
#include "scenarios/record_edits.h"

#include <algorithm>

namespace kingpost::scenarios {

namespace {

void Change(const Names& names, const Json& fields, State* state) {
  state->id = fields.value("id", state->id);
  state->protect = fields.value("protect", state->protect);
  state->pending_replacement = fields.value("pendingReplacement", state->pending_replacement);
  state->pending_delete = fields.value("delete", state->pending_delete);
  state->init_errors = fields.value("initErrors", state->init_errors);
  state->created = fields.value("created", state->created);
  state->modified = fields.value("modified", state->modified);
  state->provider = fields.value("provider", state->provider);
  state->taint = fields.value("taint", state->taint);
  if (fields.contains("outputs")) state->outputs = names.ToProperties(fields["outputs"]);
}

void ChangeAll(const Names& names, const Urn& urn, const Json& fields, Snapshot* snapshot) {
  for (StatePtr& state : snapshot->resources) {
    if (state->urn != urn) continue;
    auto draft = std::make_shared<State>(*state);
    Change(names, fields, draft.get());
    state = draft;
  }
}

// Adds an old side with the same ID, as if the resource had been replaced and an earlier run could not delete it.
void AddOldSide(const Urn& urn, Snapshot* snapshot) {
  for (size_t i = 0, size = snapshot->resources.size(); i < size; ++i) {
    if (snapshot->resources[i]->urn != urn) continue;
    auto old_side = std::make_shared<State>(*snapshot->resources[i]);
    old_side->pending_delete = true;
    snapshot->resources.push_back(old_side);
    return;
  }
}

void Remove(const Urn& urn, Snapshot* snapshot) {
  auto& all = snapshot->resources;
  const auto gone = [&](const StatePtr& state) { return state->urn == urn; };
  all.erase(std::remove_if(all.begin(), all.end(), gone), all.end());
}

// Returns the snippets as a state file holds them. In the scenario, labels may stand for URNs.
std::string SnippetsJson(const Names& names, const Json& snippets) {
  Json result = Json::array();
  for (const Json& given : snippets) {
    AllowOnly(given, {"name", "type", "code", "references"}, "snippets");
    const std::string name = given.at("name"), type = given.value("type", kDefaultType);
    Json snippet = {{"uuid", "snippet-" + name}, {"name", name}, {"type", type}, {"code", given.at("code")}};
    snippet["descriptor"]["name"] = type.substr(0, type.find(':'));
    for (const auto& [word, label] : Mapping(given, "references").items()) {
      snippet["references"][word] = names.UrnOf(label);
    }
    result.push_back(std::move(snippet));
  }
  return result.dump();
}

}  // namespace

Snapshot EditedRecord(const Names& names, const Json& act, const Snapshot& record) {
  Snapshot edited = record;
  for (const std::string label : act.value("taint", Json::array())) {
    ChangeAll(names, Urn(names.UrnOf(label)), {{"taint", true}}, &edited);
  }
  for (const auto& [label, fields] : Mapping(act, "edit").items()) {
    const Urn urn(names.UrnOf(label));
    if (fields.is_null()) {
      Remove(urn, &edited);
      continue;
    }
    AllowOnly(fields,
              {"id", "protect", "pendingReplacement", "delete", "initErrors", "created", "modified", "outputs",
               "provider", "oldSide"},
              "edit." + label);
    ChangeAll(names, urn, fields, &edited);
    if (fields.value("oldSide", false)) AddOldSide(urn, &edited);
  }
  if (act.contains("snippets")) edited.snippets_json = SnippetsJson(names, act["snippets"]);
  return edited;
}

}  // namespace kingpost::scenarios
