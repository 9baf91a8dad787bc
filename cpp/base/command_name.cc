// SPDX-License-Identifier: Apache-2.0
#include "base/command_name.h"

#include <errno.h>

namespace kingpost {

std::string_view CommandName() {
  // Programs that were written for the reference call us by its name, and look for its texts.
  return std::string_view(program_invocation_short_name) == "pulumi" ? "pulumi" : "kingpost";
}

std::string QuotedCommand(std::string_view arguments) {
  std::string text = "`";
  text.append(CommandName()).append(" ").append(arguments).append("`");
  return text;
}

}  // namespace kingpost
