// SPDX-License-Identifier: Apache-2.0
#include "scenarios/fake_diff.h"

#include <algorithm>

#include "model/value_diff.h"

namespace kingpost::scenarios {

void CompareInputs(const DiffRequest& request, const Json& replaces, DiffResponse* response) {
  const ObjectDiff diff = DiffObjects(request.old_inputs, request.new_inputs);
  response->changes = diff.any() ? DiffChanges::kSome : DiffChanges::kNone;
  response->detailed = ToDetailedDiff(diff, true);
  for (const auto* changed : {&diff.adds, &diff.deletes}) {
    for (const auto& [key, value] : *changed) response->changed_keys.push_back(key);
  }
  for (const auto& [key, value] : diff.updates) response->changed_keys.push_back(key);
  std::sort(response->changed_keys.begin(), response->changed_keys.end());
  for (const std::string& key : response->changed_keys) {
    if (std::find(replaces.begin(), replaces.end(), Json(key)) == replaces.end()) continue;
    response->replaces.push_back(key);
    for (auto& [path, property] : response->detailed) {
      if (path.compare(0, key.size(), key) == 0) property.kind = Promote(property.kind);
    }
  }
}

}  // namespace kingpost::scenarios
