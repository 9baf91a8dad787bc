// SPDX-License-Identifier: Apache-2.0
// Notes beside a property of a step: it forces a replacement, or it is not to be shown.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kingpost/event.h"
#include "model/property_path.h"

namespace kingpost {

class ChangeReasons {
 public:
  ChangeReasons() = default;
  explicit ChangeReasons(const StepMetadata& step);

  // "  # forces replacement", or "".
  std::string NoteOf(const PropertyPath& path) const;
  // As NoteOf, also if what forces it lies below the path, where its own line is not drawn.
  std::string NoteOfAll(const PropertyPath& path) const;
  bool IsHidden(const PropertyPath& path) const;

 private:
  std::set<std::string> forcing_;
  std::vector<PropertyPath> forcing_paths_, hidden_;
};

}  // namespace kingpost
