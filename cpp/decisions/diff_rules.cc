// SPDX-License-Identifier: Apache-2.0
#include "decisions/diff_rules.h"

#include <algorithm>
#include <set>

#include "model/property_path.h"

namespace kingpost::decisions {

namespace {

constexpr char kInitErrorKey[] = "#initerror";

bool AnyContains(const std::vector<PropertyPath>& paths, const PropertyPath& path) {
  return std::any_of(paths.begin(), paths.end(), [&](const PropertyPath& p) { return p.Contains(path); });
}

}  // namespace

bool WantsReplace(const DiffResponse& diff) {
  for (const auto& [path, property] : diff.detailed) {
    if (IsReplace(property.kind)) return true;
  }
  return !diff.replaces.empty();
}

DiffResponse CompareInputs(const PropertyMap& old_inputs, const PropertyMap& new_inputs) {
  DiffResponse diff;
  const ObjectDiff objects =
      DiffObjects(StripSecretsAndOutputs(old_inputs), StripSecretsAndOutputs(new_inputs), /*internal_keys=*/true);
  if (!objects.any()) {
    diff.changes = DiffChanges::kNone;
    return diff;
  }
  diff.changes = DiffChanges::kSome;
  for (const auto& [key, value] : objects.adds) diff.changed_keys.push_back(key);
  for (const auto& [key, value] : objects.deletes) diff.changed_keys.push_back(key);
  for (const auto& [key, value] : objects.updates) diff.changed_keys.push_back(key);
  std::sort(diff.changed_keys.begin(), diff.changed_keys.end());
  diff.detailed = ToDetailedDiff(objects, /*input_diff=*/true);
  diff.has_detailed = true;
  return diff;
}

DiffResponse CompareIfUnknown(DiffResponse answer, const PropertyMap& old_inputs, const PropertyMap& new_inputs) {
  if (answer.changes != DiffChanges::kUnknown) return answer;
  DiffResponse own = CompareInputs(old_inputs, new_inputs);
  answer.changes = own.changes;
  if (own.changes != DiffChanges::kSome) return answer;
  answer.changed_keys = std::move(own.changed_keys);
  answer.detailed = std::move(own.detailed);
  answer.has_detailed = true;
  return answer;
}

DiffResponse AssumedChange() {
  DiffResponse diff;
  diff.changes = DiffChanges::kSome;
  return diff;
}

std::optional<std::string> UnknownTrigger(const State& draft, bool preview) {
  if (preview || !ContainsUnknowns(draft.replacement_trigger)) return std::nullopt;
  return "replacement trigger contains unknowns for " + draft.urn.str();
}

Result<DiffResponse> ApplyReplaceOnChanges(DiffResponse diff, const std::vector<std::string>& texts,
                                           bool has_init_errors) {
  if (diff.changes != DiffChanges::kSome && !has_init_errors) return diff;
  std::vector<PropertyPath> paths;
  for (const std::string& text : texts) {
    auto path = PropertyPath::Parse(text);
    if (!path.ok()) return path.status();
    paths.push_back(std::move(*path));
  }
  if (paths.empty()) return diff;
  for (auto& [text, property] : diff.detailed) {
    auto path = PropertyPath::Parse(text);
    if (!path.ok()) return path.status();
    if (AnyContains(paths, *path)) property.kind = Promote(property.kind);
  }
  std::set<std::string> replaces(diff.replaces.begin(), diff.replaces.end());
  for (const std::string& key : diff.changed_keys) {
    auto path = PropertyPath::Parse(key);
    if (path.ok() && AnyContains(paths, *path)) replaces.insert(key);
  }
  if (has_init_errors && AnyContains(paths, PropertyPath({std::string(kInitErrorKey)}))) {
    replaces.insert(kInitErrorKey);
    if (diff.has_detailed) diff.detailed[kInitErrorKey] = {DiffKind::kUpdateReplace, false};
    diff.changes = DiffChanges::kSome;
  }
  diff.replaces.assign(replaces.begin(), replaces.end());
  return diff;
}

bool TriggersReplace(const Value& old_trigger, const Value& new_trigger) {
  const Value old_plain = StripSecretsAndOutputs(old_trigger);
  const Value new_plain = StripSecretsAndOutputs(new_trigger);
  if (ContainsUnknowns(old_plain) || ContainsUnknowns(new_plain)) return true;
  if (old_plain.is_null() || new_plain.is_null()) return false;
  return !DeepEqual(old_plain, new_plain);
}

DiffResponse InvertDiff(DiffResponse diff) {
  for (auto& [path, property] : diff.detailed) property.kind = Invert(property.kind);
  return diff;
}

}  // namespace kingpost::decisions
