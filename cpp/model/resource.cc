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

bool ResourceHooks::empty() const {
  return std::all_of(names.begin(), names.end(), [](const auto& list) { return list.empty(); });
}

}  // namespace kingpost
