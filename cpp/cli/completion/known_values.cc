// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/known_values.h"

#include <algorithm>

#include "cli/session/stack_access.h"
#include "cli/session/stack_settings.h"
#include "model/snapshot.h"

namespace kingpost {

std::optional<StackName> KnownValues::Stack() {
  Result<StackName> stack = session_.FindStack(stack_);
  if (!stack.ok()) return std::nullopt;
  return std::move(*stack);
}

std::vector<Candidate> KnownValues::Stacks() {
  const Result<StateStore*> store = session_.store();
  if (!store.ok()) return {};
  const Result<std::vector<StackEntry>> entries = (*store)->List();
  if (!entries.ok()) return {};
  std::vector<Candidate> stacks;
  for (const StackEntry& entry : *entries) {
    const bool is_selected = (*store)->QualifiedName(entry.stack) == session_.selected();
    stacks.push_back({session_.ShortName(entry.stack), is_selected ? "selected" : ""});
  }
  return stacks;
}

std::vector<Candidate> KnownValues::ConfigKeys(const std::string& end) {
  const std::optional<StackName> stack = Stack();
  const Result<const Project*> project = session_.project();
  if (!stack || !project.ok()) return {};
  const Result<StackConfig> settings = session_.LoadConfig(*stack);
  if (!settings.ok()) return {};
  std::vector<Candidate> keys;
  for (const auto& [key, value] : settings->config()) keys.push_back({PrettyKey(key, stack->project) + end, ""});
  for (const auto& declared : (*project)->config) {
    const std::string key = PrettyKey(declared.first, stack->project) + end;
    const auto has_key = [&](const Candidate& at) { return at.text == key; };
    if (std::none_of(keys.begin(), keys.end(), has_key)) keys.push_back({key, "of the project"});
  }
  return keys;
}

std::vector<Candidate> KnownValues::Resources() {
  const std::optional<StackName> stack = Stack();
  if (!stack) return {};
  const Result<Snapshot> snapshot = ReadSnapshot(session_, *stack);
  if (!snapshot.ok()) return {};
  std::vector<Candidate> resources;
  for (const StatePtr& state : snapshot->resources) {
    if (!state->pending_delete) resources.push_back({state->urn.str(), state->id});
  }
  return resources;
}

std::vector<Candidate> KnownValues::Outputs() {
  const std::optional<StackName> stack = Stack();
  if (!stack) return {};
  const Result<Snapshot> snapshot = ReadSnapshot(session_, *stack);
  if (!snapshot.ok()) return {};
  std::vector<Candidate> outputs;
  for (const auto& [key, value] : OutputsOfStack(*snapshot)) outputs.push_back({key, ""});
  return outputs;
}

std::vector<Candidate> KnownValues::Tags() {
  const std::optional<StackName> stack = Stack();
  const Result<StateStore*> store = session_.store();
  if (!stack || !store.ok()) return {};
  const Result<std::map<std::string, std::string>> tags = (*store)->LoadTags(*stack);
  if (!tags.ok()) return {};
  std::vector<Candidate> names;
  for (const auto& [name, value] : *tags) names.push_back({name, value});
  return names;
}

}  // namespace kingpost
