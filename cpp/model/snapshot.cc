// SPDX-License-Identifier: Apache-2.0
// Names of the pending operations, as the state file spells them.
#include "model/snapshot.h"

namespace kingpost {

const char* OperationTypeName(OperationType type) {
  switch (type) {
    case OperationType::kCreating:
      return "creating";
    case OperationType::kUpdating:
      return "updating";
    case OperationType::kDeleting:
      return "deleting";
    case OperationType::kReading:
      return "reading";
    case OperationType::kImporting:
      return "importing";
  }
  return "";
}

std::optional<OperationType> ParseOperationType(std::string_view name) {
  for (OperationType type : {OperationType::kCreating, OperationType::kUpdating, OperationType::kDeleting,
                             OperationType::kReading, OperationType::kImporting}) {
    if (name == OperationTypeName(type)) return type;
  }
  return std::nullopt;
}

}  // namespace kingpost
