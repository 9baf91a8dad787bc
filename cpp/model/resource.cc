// SPDX-License-Identifier: Apache-2.0
// Names of the hook kinds, as the state file spells them.
#include "model/resource.h"

#include <algorithm>

namespace kingpost {

const char* HookKindName(HookKind kind) {
  switch (kind) {
    case HookKind::kBeforeCreate:
      return "BeforeCreate";
    case HookKind::kAfterCreate:
      return "AfterCreate";
    case HookKind::kBeforeUpdate:
      return "BeforeUpdate";
    case HookKind::kAfterUpdate:
      return "AfterUpdate";
    case HookKind::kBeforeDelete:
      return "BeforeDelete";
    case HookKind::kAfterDelete:
      return "AfterDelete";
    case HookKind::kOnError:
      return "OnError";
  }
  return "";
}

const std::vector<std::string>& ResourceHooks::of(HookKind kind) const {
  static const std::vector<std::string> kNone;
  return names_.empty() ? kNone : names_[static_cast<int>(kind)];
}

std::vector<std::string>& ResourceHooks::of(HookKind kind) {
  names_.resize(kHookKinds);
  return names_[static_cast<int>(kind)];
}

bool ResourceHooks::empty() const {
  return std::all_of(names_.begin(), names_.end(), [](const auto& list) { return list.empty(); });
}

bool operator==(const ResourceHooks& a, const ResourceHooks& b) {
  return a.names_ == b.names_ || (a.empty() && b.empty());
}

}  // namespace kingpost
