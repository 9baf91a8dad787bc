// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/plugin_kinds.h"

#include "cli/session/exit_code.h"

namespace kingpost {

Status CheckPluginKind(const std::string& kind) {
  std::string known;
  for (const std::string& one : kPluginKinds) {
    if (one == kind) return Status::Ok();
    known += (known.empty() ? "" : ", ") + one;
  }
  return UsageError("unrecognized plugin kind: " + kind + " (must be one of: " + known + ")");
}

}  // namespace kingpost
