// SPDX-License-Identifier: Apache-2.0
#include "console/display/change_reasons.h"

namespace kingpost {

namespace {
constexpr char kForces[] = "  # forces replacement";
}

ChangeReasons::ChangeReasons(const StepMetadata& step) {
  const auto add = [this](const PropertyPath& path) {
    forcing_.insert(path.str());
    forcing_paths_.push_back(path);
  };
  if (step.detailed) {
    for (const auto& [text, diff] : *step.detailed) {
      const Result<PropertyPath> path = PropertyPath::Parse(text);
      if (path.ok() && IsReplace(diff.kind)) add(*path);
    }
  }
  // A provider without details names whole properties.
  if (forcing_.empty()) {
    for (const std::string& key : step.keys) add(PropertyPath({PropertyPath::Element(key)}));
  }
  const StatePtr& state = step.new_state ? step.new_state : step.old_state;
  if (!state) return;
  for (const std::string& text : state->hide_diffs) {
    if (const Result<PropertyPath> path = PropertyPath::Parse(text); path.ok()) hidden_.push_back(*path);
  }
}

std::string ChangeReasons::NoteOf(const PropertyPath& path) const {
  return !forcing_.empty() && forcing_.count(path.str()) > 0 ? kForces : "";
}

std::string ChangeReasons::NoteOfAll(const PropertyPath& path) const {
  for (const PropertyPath& forcing : forcing_paths_) {
    if (path.Contains(forcing)) return kForces;
  }
  return "";
}

bool ChangeReasons::IsHidden(const PropertyPath& path) const {
  for (const PropertyPath& hidden : hidden_) {
    if (hidden.Contains(path)) return true;
  }
  return false;
}

}  // namespace kingpost
