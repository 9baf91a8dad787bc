// SPDX-License-Identifier: Apache-2.0
// The name under which a person runs this command, for messages that say what to run next. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace kingpost {

// "pulumi" where the command was started by that name (a link to it), else "kingpost".
std::string_view CommandName();

// "kingpost up", for "up".
std::string NamedCommand(std::string_view arguments);

// The same in backticks, as texts quote it.
std::string QuotedCommand(std::string_view arguments);

}  // namespace kingpost
