// SPDX-License-Identifier: Apache-2.0
// The names of the kinds of operations, on screens and in records.
#pragma once

#include <string>

#include "kingpost/engine.h"

namespace kingpost {

inline std::string OperationWord(OperationKind kind) {
  switch (kind) {
    case OperationKind::kUpdate:
      return "update";
    case OperationKind::kRefresh:
      return "refresh";
    case OperationKind::kDestroy:
      return "destroy";
    case OperationKind::kImport:
      return "import";
  }
  return "";
}

}  // namespace kingpost
