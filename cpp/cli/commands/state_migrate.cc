// SPDX-License-Identifier: Apache-2.0
// state migrate: stacks from one backend to another, with history, backups and tags. Nothing is taken away from where
// they were, so it may be broken off and begun again.
#include <algorithm>

#include "base/command_name.h"
#include "base/url_masking.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/signals.h"
#include "cli/session/stack_access.h"
#include "journal/recover.h"
#include "store/stack_records.h"

namespace kingpost {

namespace {

struct MigrateOptions {
  std::string from, to, stack;
};

Result<std::unique_ptr<StateStore>> OpenEnd(const std::string& url) {
  Result<std::unique_ptr<StateStore>> store = OpenBackend(url);
  if (!store.ok()) return store;
  const Status there = (*store)->CheckAccess();
  return there.ok() ? std::move(store) : there.Wrap(MaskUrlSetting(url));
}

// How many records went over; those that are there with the same bytes are not written again.
Result<int> MoveRecords(StateStore& from, StateStore& to, const StackName& stack) {
  const Result<std::unique_ptr<StackRecords>> source = RecordsOf(from, stack), target = RecordsOf(to, stack);
  if (!source.ok()) return source.status();
  if (!target.ok()) return target.status();
  const Result<std::vector<std::string>> names = (*source)->Names(), there = (*target)->Names();
  if (!names.ok()) return names.status();
  if (!there.ok()) return there.status();
  int moved = 0;
  for (const std::string& name : *names) {
    const Result<std::string> bytes = (*source)->Read(name);
    if (!bytes.ok()) return bytes.status();
    const bool known = std::find(there->begin(), there->end(), name) != there->end();
    if (known && (*target)->Read(name).ok() && *(*target)->Read(name) == *bytes) continue;
    if (const Status written = (*target)->Write(name, *bytes); !written.ok()) return written;
    ++moved;
  }
  return moved;
}

// Locked at both ends; what a crash left at the first is taken in before.
Status MigrateStack(Session& session, StateStore& from, StateStore& to, const StackName& stack) {
  const SavingSignals signals(SavingSignals::After::kGoOn);
  const Result<std::unique_ptr<StackLock>> here = from.Lock(stack);
  if (!here.ok()) return here.status();
  const Result<RecoveryReport> report = Recover(from, stack, CurrentSealOptions("kingpost"));
  if (!report.ok()) return report.status();
  for (const std::string& line : report->Lines()) session.Note(line);
  const Result<std::unique_ptr<StackLock>> there = to.Lock(stack);
  if (!there.ok()) return there.status();
  const Result<StackDocument> document = from.Load(stack), present = to.Load(stack);
  if (!document.ok()) return document.status();
  if (!present.ok()) return present.status();
  if (present->exists && present->bytes != document->bytes) {
    return Status(Code::kAlreadyExists,
                  "another stack of that name is in " + to.printable_url() + " already; rename or remove one of them");
  }
  const Result<int> moved = MoveRecords(from, to, stack);
  if (!moved.ok()) return moved.status();
  const Result<std::map<std::string, std::string>> tags = from.LoadTags(stack);
  if (!tags.ok()) return tags.status();
  if (!tags->empty()) {
    if (const Status saved = to.SaveTags(stack, *tags); !saved.ok()) return saved;
  }
  // The checkpoint last: with it the stack exists.
  if (!present->exists) {
    if (const Status saved = to.Save(stack, document->bytes); !saved.ok()) return saved;
  }
  const Result<StackDocument> copied = to.Load(stack);
  if (!copied.ok()) return copied.status();
  if (copied->bytes != document->bytes) {
    return Status(Code::kDataLoss, copied->location + " does not hold what was written to it");
  }
  session.Say("Copied " + stack.str() + ", with " + std::to_string(*moved) + " records of its history\n");
  const Status released = (*there)->Release();
  return released.ok() ? (*here)->Release() : released;
}

Status Run(Session& session, const MigrateOptions& options) {
  Result<std::unique_ptr<StateStore>> from = OpenEnd(options.from);
  if (!from.ok()) return from.status();
  Result<std::unique_ptr<StateStore>> to = OpenEnd(options.to);
  if (!to.ok()) return to.status();
  const Result<std::vector<StackEntry>> entries = (*from)->List();
  if (!entries.ok()) return entries.status();
  Result<StackName> only =
      options.stack.empty() ? Result<StackName>(StackName()) : session.QualifyStackName(options.stack);
  if (!only.ok()) return only.status();
  int found = 0, failed = 0;
  for (const StackEntry& entry : *entries) {
    if (entry.stack.project.empty()) {
      return Fail(ExitCode::kFailed, "the stacks in " + (*from)->printable_url() + " have no projects yet; run " +
                                         QuotedCommand("state upgrade") + " there first");
    }
    if (!options.stack.empty() && !(entry.stack == *only)) continue;
    ++found;
    const Status moved = MigrateStack(session, **from, **to, entry.stack);
    if (moved.ok()) continue;
    ++failed;
    session.Warn(entry.stack.str() + ": " + moved.message());
  }
  if (found == 0) {
    return Fail(ExitCode::kNoStack, options.stack.empty() ? "there is no stack in " + (*from)->printable_url()
                                                          : "no stack named '" + options.stack + "' found");
  }
  if (failed > 0) {
    return Fail(ExitCode::kFailed, std::to_string(failed) + " of " + std::to_string(found) +
                                       " stacks were not copied; fix the errors above and run the command again");
  }
  session.Say("From now on use " + (*to)->printable_url() + ": " + QuotedCommand("login") +
              " there, or change backend.url; the old backend is unchanged\n");
  return Status::Ok();
}

}  // namespace

void AddStateMigrateCommand(Commands* commands) {
  commands->push_back({"state migrate", "Copy stacks to another backend", [](Flags& flags) -> CommandBody {
                         auto options = std::make_shared<MigrateOptions>();
                         flags.Argument("FROM", &options->from, "The URL of the backend that has them", true);
                         flags.Argument("TO", &options->to, "The URL of the backend that is to have them", true);
                         flags.Text("-s,--stack", &options->stack, "This stack alone; all by default");
                         return [options](Session& session) { return Run(session, *options); };
                       }});
}

}  // namespace kingpost
