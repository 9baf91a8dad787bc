// SPDX-License-Identifier: Apache-2.0
// state recover: a journal that was kept aside, brought into the state (journal/merge.h).
#include <cerrno>

#include "base/disk/durable_file.h"
#include "cli/commands/add_commands.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "journal/merge.h"

namespace kingpost {

namespace {

struct FileToRecover {
  std::string stack, file;
};

// Secrets under another key than the state's are decrypted and encrypted anew.
Status Reencrypt(SecretsManager* from, SecretsManager* to, JournalContents* journal) {
  DecodeOptions decode;
  decode.secrets = from;
  EncodeOptions encode;
  encode.secrets = to;
  encode.reencrypt = true;
  for (JournalEntry& entry : journal->entries) {
    if (!entry.state) continue;
    Result<std::string> sealed = EncodeState(*entry.state, encode);
    if (!sealed.ok()) return sealed.status();
    Result<StatePtr> state = DecodeState(*sealed, DecodeOptions());
    if (!state.ok()) return state.status();
    entry.state = std::move(*state);
  }
  return Status::Ok();
}

// The entries, with their secrets sealed as in the state.
Result<JournalContents> ReadKept(Session& session, HeldStack& held, const std::string& file) {
  const Result<JournalContents> peeked = ReadJournal(file, DecodeOptions());
  if (!peeked.ok()) return peeked.status();
  const JournalHeader& header = peeked->header;
  if (peeked->records == 0) return Status(Code::kDataLoss, "journal " + file + ": nothing is written in it");
  if (header.stack != held.store().QualifiedName(held.name())) {
    return Fail(ExitCode::kFailed, "the journal " + file + " is of stack " + header.stack + "; name it with --stack");
  }
  const Result<std::shared_ptr<SecretsManager>> to = SecretsOfDocument(session, held.name(), held.document());
  if (!to.ok()) return to.status();
  if (header.secrets_type.empty() || !*to || header.secrets_state_json == (*to)->state()) return peeked;

  const Result<std::shared_ptr<SecretsManager>> from =
      OpenSecretsManager(header.secrets_type, header.secrets_state_json, session.passphrase(), held.name().name);
  if (!from.ok()) return from.status();
  DecodeOptions decode;
  decode.secrets = from->get();
  Result<JournalContents> opened = ReadJournal(file, decode);
  if (!opened.ok()) return opened;
  const Status sealed = Reencrypt(from->get(), to->get(), &*opened);
  return sealed.ok() ? std::move(opened) : sealed;
}

// Kept, because it may be all there is to show for what happened.
Status MarkMerged(Session& session, const std::string& file) {
  const std::string merged = file + ".merged";
  if (::rename(file.c_str(), merged.c_str()) != 0) return FileError(file, "rename", errno);
  session.Say("The journal is " + merged + " now; remove it when all is well\n");
  return Status::Ok();
}

Status Run(Session& session, const FileToRecover& options) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<std::unique_ptr<HeldStack>> held = HoldStack(session, *stack);
  if (!held.ok()) return held.status();
  const Result<JournalContents> journal = ReadKept(session, **held, options.file);
  if (!journal.ok()) return journal.status();
  Result<CheckpointDocument> checkpoint = DecodeStack(session, *stack, (*held)->document(), DecodeOptions());
  if (!checkpoint.ok()) return checkpoint.status();
  Snapshot& snapshot = checkpoint->snapshot;
  if (snapshot.secrets_type.empty()) {
    snapshot.secrets_type = journal->header.secrets_type;
    snapshot.secrets_state_json = journal->header.secrets_state_json;
  }
  const Result<MergeReport> report = MergeJournal(*journal, &snapshot);
  if (!report.ok()) return report.status().Wrap("journal " + options.file);

  for (const std::string& warning : report->warnings) session.Warn(warning);
  for (const std::string& change : report->changes) session.Say(Printable(change) + "\n");
  if (report->changes.empty() && report->warnings.empty()) {
    session.Say("The state knows all that is in the journal\n");
  } else if (const Status saved = (*held)->Save(std::move(snapshot), EncodeOptions()); !saved.ok()) {
    return saved;
  }
  const Status released = (*held)->Release();
  return released.ok() ? MarkMerged(session, options.file) : released;
}

}  // namespace

void AddStateRecoverCommand(Commands* commands) {
  commands->push_back(
      {"state recover", "Bring what only a kept journal knows into the state", [](Flags& flags) -> CommandBody {
         auto options = std::make_shared<FileToRecover>();
         flags.Argument("FILE", &options->file, "The journal that was kept aside", true);
         flags.Text("-s,--stack", &options->stack, "The stack; the selected one by default");
         return [options](Session& session) { return Run(session, *options); };
       }});
}

}  // namespace kingpost
