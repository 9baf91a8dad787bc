// SPDX-License-Identifier: Apache-2.0
#include "base/command_name.h"

#include <errno.h>

namespace kingpost {

std::string_view CommandName() {
  // Programs that were written for the reference call us by its name, and look for its texts.
  return std::string_view(program_invocation_short_name) == "pulumi" ? "pulumi" : "kingpost";
}

std::string NamedCommand(std::string_view arguments) {
  return std::string(CommandName()).append(" ").append(arguments);
}

std::string QuotedCommand(std::string_view arguments) { return "`" + NamedCommand(arguments) + "`"; }

}  // namespace kingpost
