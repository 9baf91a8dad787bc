// SPDX-License-Identifier: Apache-2.0
// stack rollback: the state as it was after an earlier operation. Only the state: what exists stays as it is, and the
// next refresh or update brings the two together.
#include <cstdlib>
#include <map>

#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/table.h"
#include "store/compression.h"
#include "store/stack_records.h"

namespace kingpost {

namespace {

struct RollbackOptions {
  std::string stack, to;
  bool yes = false;
};

// By URN: what is recorded, without the order in which it stands.
Result<std::map<std::string, std::string>> Recorded(const Snapshot& snapshot) {
  std::map<std::string, std::string> states;
  for (const StatePtr& state : snapshot.resources) {
    const Result<std::string> encoded = EncodeState(*state, EncodeOptions());
    if (!encoded.ok()) return encoded.status();
    states[state->urn.str() + (state->pending_delete ? " (to be deleted)" : "")] += *encoded;
  }
  return states;
}

Result<std::vector<std::string>> Differences(const Snapshot& now, const Snapshot& then) {
  const auto before = Recorded(now), after = Recorded(then);
  if (!before.ok()) return before.status();
  if (!after.ok()) return after.status();
  std::vector<std::string> lines;
  for (const auto& [urn, state] : *after) {
    const auto found = before->find(urn);
    if (found == before->end()) lines.push_back("  + " + urn);
    if (found != before->end() && found->second != state) lines.push_back("  ~ " + urn);
  }
  for (const auto& [urn, state] : *before) {
    if (!after->count(urn)) lines.push_back("  - " + urn);
  }
  return lines;
}

std::string VersionTable(const std::vector<StackVersion>& versions, int columns) {
  std::vector<TableRow> rows;
  for (size_t i = versions.size(); i > 0; --i) {
    rows.push_back({std::to_string(i), ApiTime(versions[i - 1].time_ns / 1'000'000)});
  }
  return Table({"VERSION", "ENDED"}, rows, columns);
}

Result<Snapshot> SnapshotOf(Session& session, StackRecords& records, const StackVersion& version,
                            const StackName& stack) {
  Result<std::string> bytes = records.Read(version.checkpoint);
  if (bytes.ok()) bytes = Decompress(*std::move(bytes), version.checkpoint);
  if (!bytes.ok()) return bytes.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, stack, *bytes, DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  return std::move(checkpoint->snapshot);
}

Status Run(Session& session, const RollbackOptions& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  const Result<StateStore*> store = session.store();
  const Result<std::unique_ptr<StackRecords>> records = RecordsOf(**store, *stack);
  if (!records.ok()) return records.status();
  const Result<std::vector<StackVersion>> versions = VersionsOf(**records);
  if (!versions.ok()) return versions.status();
  if (options.to.empty()) {
    session.Print(VersionTable(*versions, session.columns()));
    session.Say("Version " + std::to_string(versions->size()) +
                " is the newest. To go back to one, pass it with --to.\n");
    return Status::Ok();
  }
  const int number = std::atoi(options.to.c_str());
  if (number < 1 || static_cast<size_t>(number) > versions->size()) {
    session.Print(VersionTable(*versions, session.columns()));
    return UsageError("stack '" + stack->name + "' has no version " + options.to);
  }
  const StackVersion& version = (*versions)[static_cast<size_t>(number) - 1];
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  if (!held.ok()) return held.status();
  const Result<CheckpointDocument> now = DecodeStack(session, *stack, (*held)->document(), DecodeOptions());
  if (!now.ok()) return now.status();
  Result<Snapshot> then = SnapshotOf(session, **records, version, *stack);
  if (!then.ok()) return then.status();
  const Result<std::vector<std::string>> lines = Differences(now->snapshot, *then);
  if (!lines.ok()) return lines.status();
  session.Say("Version " + std::to_string(number) + " of stack '" + stack->name + "', of " +
              ApiTime(version.time_ns / 1'000'000) + ":\n");
  for (const std::string& line : *lines) session.Print(Printable(line) + "\n");
  if (lines->empty()) session.Print("  the same resources as now\n");
  if (!options.yes) {
    const Result<bool> confirmed = Confirm(session,
                                           "This changes the recorded state, and no real resource. Type the name of "
                                           "the stack to continue: ",
                                           stack->name);
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) return Fail(ExitCode::kFailed, "confirmation declined");
  }
  if (Status saved = (*held)->Save(*std::move(then), EncodeOptions()); !saved.ok()) return saved;
  session.Say("The state is that of version " + std::to_string(number) + "; the one before it is in the backup\n");
  return (*held)->Release();
}

}  // namespace

void AddStackRollbackCommand(Commands* commands) {
  commands->push_back(
      {"stack rollback", "Go back to the state after an earlier operation", [](Flags& flags) -> CommandBody {
         auto options = std::make_shared<RollbackOptions>();
         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
         flags.Text("--to", &options->to, "Which version, 1 being the oldest; without it they are listed");
         flags.Switch("-y,--yes", &options->yes, "Do not ask");
         return [options](Session& session) { return Run(session, *options); };
       }});
}

}  // namespace kingpost
