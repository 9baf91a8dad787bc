// SPDX-License-Identifier: Apache-2.0
#include "operation/driver.h"

#include <ctime>

#include "base/command_name.h"
#include "base/os.h"
#include "journal/checkpoint_file.h"
#include "journal/finish.h"
#include "journal/recorder.h"
#include "kingpost/operation_word.h"
#include "kingpost/shared_journals.h"
#include "operation/kept_reasons.h"
#include "store/saved_aside.h"

namespace kingpost {

namespace {

// The state could not be saved where it belongs: put it where it can be found.
Status SaveElsewhere(const StackContext& context, const std::string& bytes, const Status& failure) {
  const Result<std::string> journal = context.store->JournalPath(context.name);
  const Result<std::string> file =
      SaveAside(FallbackFolders(journal.ok() ? *journal : ""), context.name.name + ".unsaved", bytes);
  const std::string hint = file.ok() ? "; a copy of the new state is in " + *file : "";
  return Status(Code::kFailedPrecondition, "could not save the state: " + failure.message() + hint +
                                               "; the journal is kept, and the next command recovers it");
}

Status SaveSnapshot(const LoadedOperation& loaded, Snapshot snapshot, Journal& journal) {
  const StackContext& context = loaded.context;
  FinishOptions options;
  options.seal = CurrentSealOptions(context.program + " " + OperationWord(loaded.options.kind));
  options.encode = loaded.encoding();
  options.accept_broken = context.accept_broken;
  options.base = *loaded.document;
  snapshot.secrets_type = loaded.secrets->type();
  snapshot.secrets_state_json = loaded.secrets->state();
  const FinishResult finished =
      FinishOperation(loaded.held->lock(), journal, *context.store, context.name, std::move(snapshot), options);
  return finished.unsaved.empty() ? finished.status : SaveElsewhere(context, finished.unsaved, finished.status);
}

// A history or a backup that cannot be written fails no operation.
void RecordOperation(const LoadedOperation& loaded, const OperationResult& result, const HistoryFacts& facts,
                     const ReasonLog* reasons) {
  const StackContext& context = loaded.context;
  const bool never_saved = loaded.document->empty() && !result.snapshot;
  if (never_saved) return;  // there is no stack to remember it of
  const std::string record =
      HistoryRecord(loaded.options.kind, loaded.start_seconds, std::time(nullptr), result, facts);
  const Status remembered = context.store->RecordOperation(context.name, record);
  if (!remembered.ok()) context.caller->Warn(remembered.message());
  const Status kept = reasons ? KeepReasons(loaded, result, *reasons, false) : Status::Ok();
  if (!kept.ok())
    context.caller->Warn("could not write the reasons for " + QuotedCommand("why") + ": " + kept.message());
}

Result<std::unique_ptr<Journal>> CreateJournal(const StackContext& context, const JournalHeader& header,
                                               const EncodeOptions& options, const std::string& base) {
  if (SharedJournals* journals = context.store->journals()) {
    Result<std::unique_ptr<JournalFile>> file = journals->Create(context.name);
    return file.ok() ? Journal::CreateOn(*std::move(file), header, options) : file.status();
  }
  const Result<std::string> path = context.store->JournalPath(context.name);
  if (!path.ok()) return path.status();
  if (!path->empty() || !IsTrueVariable("KINGPOST_CHECKPOINT_EVERY_STEP")) {
    return Journal::Create(*path, header, options);
  }
  CheckpointFileOptions checkpoints;
  checkpoints.seal = CurrentSealOptions(context.program + " " + header.operation);
  checkpoints.base = base;
  checkpoints.only_at_the_end = IsTrueVariable("PULUMI_SKIP_CHECKPOINTS");
  return Journal::CreateOn(NewCheckpointFile(*context.store, context.name, checkpoints), header, options);
}

Result<std::unique_ptr<Journal>> OpenJournal(const LoadedOperation& loaded) {
  const StackContext& context = loaded.context;
  JournalHeader header;
  header.stack = context.store->QualifiedName(context.name);
  header.base_hash = CheckpointHash(*loaded.document);
  header.operation = OperationWord(loaded.options.kind);
  Result<std::unique_ptr<Journal>> journal = CreateJournal(context, header, loaded.encoding(), *loaded.document);
  if (journal.ok()) (*journal)->set_ownership_check([&lock = loaded.held->lock()] { return lock.CheckHeld(); });
  return journal;
}

Status RunAndSave(Loop& loop, const LoadedOperation& loaded, const JournaledRun& real) {
  Result<std::unique_ptr<Journal>> journal = OpenJournal(loaded);
  if (!journal.ok()) return journal.status();
  JournalRecorder recorder(loop, **journal);
  const OperationResult& result = real.run(&recorder);
  // Without a snapshot nothing has changed.
  const Status saved = result.snapshot ? SaveSnapshot(loaded, *result.snapshot, **journal) : (*journal)->Remove();
  if (saved.ok()) RecordOperation(loaded, result, real.facts(), real.reasons);
  return saved;
}

}  // namespace

RunEndStatus RunJournaled(Loop& loop, LoadedOperation* loaded, const JournaledRun& real) {
  const OperationCaller::Scope saving = loaded->context.caller->Saving(OperationCaller::AfterSignal::kGoOn);
  RunEndStatus ending;
  ending.recorded = RunAndSave(loop, *loaded, real);
  ending.released = loaded->held->Release();
  return ending;
}

}  // namespace kingpost
