// SPDX-License-Identifier: Apache-2.0
// completion, gen-completion: the script that teaches a shell this program's commands.
#include <errno.h>

#include <algorithm>
#include <cctype>

#include "cli/commands/add_commands.h"
#include "cli/completion/shell_scripts.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/session.h"

namespace kingpost {

namespace {

// The name that the user types: "kingpost", or "pulumi" where that is a link to us.
std::string NameOfProgram() {
  const std::string name = program_invocation_short_name;
  const bool is_word =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
  return is_word && !name.empty() ? name : "kingpost";
}

Status PrintScript(Session& session, const std::string& shell) {
  const std::string script = CompletionScript(shell, NameOfProgram());
  if (script.empty()) return UsageError("unsupported shell \"" + shell + "\" (expected bash, fish or zsh)");
  session.Print(script);
  return Status::Ok();
}

}  // namespace

void AddCompletionCommand(Commands* commands) {
  Command command{"completion",
                  "Print a script for a shell that completes commands, stacks, keys and resources",
                  [](Flags& flags) -> CommandBody {
                    auto shell = std::make_shared<std::string>();
                    flags.Argument("SHELL", shell.get(), "bash, fish or zsh", true);
                    return [shell](Session& session) { return PrintScript(session, *shell); };
                  },
                  {"gen-completion"}};
  commands->push_back(std::move(command));
}

}  // namespace kingpost
