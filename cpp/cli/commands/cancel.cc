// SPDX-License-Identifier: Apache-2.0
// cancel: removes the locks of a stack whose holder is gone for good.
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"

namespace kingpost {

namespace {

struct CancelOptions {
  std::string stack, name;
  bool yes = false;
};

Status Run(Session& session, const CancelOptions& options) {
  if (!options.stack.empty() && !options.name.empty()) {
    return UsageError("only one of --stack or argument stack name may be specified, not both");
  }
  const Result<StackName> stack = session.FindStack(options.name.empty() ? options.stack : options.name);
  if (!stack.ok()) return stack.status();
  if (!options.yes) {
    const Result<bool> confirmed =
        Confirm(session,
                "This will irreversibly cancel the currently running update for '" + stack->name +
                    "'!\nPlease confirm that this is what you'd like to do by typing `" + stack->name + "`: ",
                stack->name);
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) return Fail(ExitCode::kFailed, "confirmation declined");
  }
  const Result<StateStore*> store = session.store();
  const Result<int> removed = (*store)->BreakLocks(*stack);
  if (!removed.ok()) return removed.status();
  session.Say(*removed == 0 ? "No update of '" + stack->name + "' held a lock.\n"
                            : "The currently running update for '" + stack->name +
                                  "' has been canceled!\nIf its process is still "
                                  "there, the steps that are running come to their end, and it begins no other.\n");
  return Status::Ok();
}

}  // namespace

void AddCancelCommand(Commands* commands) {
  commands->push_back({"cancel", "Remove the locks of a stack whose update is gone", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<CancelOptions>();
                         flags.Argument("STACK", &options->name, "The stack");
                         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
                         flags.Switch("-y,--yes", &options->yes, "Do not ask");
                         return [options](Session& session) { return Run(session, *options); };
                       }});
}

}  // namespace kingpost
