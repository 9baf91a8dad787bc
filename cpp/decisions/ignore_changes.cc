// SPDX-License-Identifier: Apache-2.0
#include "decisions/ignore_changes.h"

#include "base/encoding.h"
#include "model/property_path.h"

namespace kingpost::decisions {

PropertyMap ApplyIgnoreChanges(const PropertyMap& new_inputs, const PropertyMap& old_inputs,
                               const std::vector<std::string>& paths, std::vector<std::string>* refused) {
  if (paths.empty()) return new_inputs;
  const Value old_root(old_inputs);
  Value root(new_inputs);
  for (const std::string& text : paths) {
    auto path = PropertyPath::Parse(text);
    if (!path.ok()) continue;
    Value partial = root;
    auto next = path->Reset(old_root, root, &partial);
    root = next ? std::move(*next) : partial;
    if (!next && refused) refused->push_back(text);
  }
  return root.as_object();
}

std::string RefusedPathsText(const std::vector<std::string>& refused) {
  std::string joined;
  for (const std::string& path : refused) joined += (joined.empty() ? "" : ", ") + path;
  return "cannot ignore changes in added or removed elements of the path: " + Quote(joined);
}

PropertyMap InputsToRecord(const Goal& goal, const PropertyMap& old_inputs, const PropertyMap& compared) {
  if (goal.custom || goal.ignore_changes.empty()) return compared;
  const PropertyMap ignoring = ApplyIgnoreChanges(goal.inputs, old_inputs, goal.ignore_changes, nullptr);
  return DeepEqual(ignoring, compared) ? goal.inputs : compared;
}

}  // namespace kingpost::decisions
