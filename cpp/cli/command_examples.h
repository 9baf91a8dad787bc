// SPDX-License-Identifier: Apache-2.0
// One or two uses of each command: the end of --help, of its page and of its man page. A test runs every one of them,
// in this order, on a stack of its own.
#pragma once

#include <span>
#include <string>

namespace kingpost {

struct CommandExample {
  const char* path;  // of the command
  const char* line;  // as typed, after the command's name
  const char* says;  // what it is for
};

std::span<const CommandExample> CommandExamples();

// "\nExamples:\n  # what it is for\n  kingpost ...\n"; "" if the command has none.
std::string ExamplesText(const std::string& path);

}  // namespace kingpost
