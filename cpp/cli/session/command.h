// SPDX-License-Identifier: Apache-2.0
// One command of the program: its name, its flags and its body. One file of commands/ per command or small family.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/session/flags.h"

namespace kingpost {

class Session;

// Runs after the flags are parsed. A failure is printed as "error: ..." and decides the exit status (exit_code.h).
using CommandBody = std::function<Status(Session&)>;

struct Command {
  std::string path;     // "stack init"
  std::string summary;  // one line
  // Declares the flags and answers the body that reads them; both share what is captured.
  std::function<CommandBody(Flags&)> declare;
  std::vector<std::string> aliases = {};  // other last words: {"new"}
  bool hidden = false;
};

using Commands = std::vector<Command>;

// Which command a command line names, as far as it names one, and what is left of the line. Flags may stand anywhere.
struct FoundCommand {
  const Command* command = nullptr;  // null: a group or nothing
  std::string path;                  // the words that were understood
  std::vector<std::string> args;     // all others, in order
  std::string unknown;               // the first of `args` that is no flag nor its value, where a command could stand
  size_t unknown_at = 0;             // its place in `args`
};
FoundCommand FindCommand(const Commands& commands, const std::vector<std::string>& words);

// The list of commands below `path` ("" for all) for --help.
std::string GroupHelp(const Commands& commands, const std::string& program, const std::string& path);

}  // namespace kingpost
