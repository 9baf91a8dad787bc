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
      SaveAside(FoldersAside(journal.ok() ? *journal : ""), context.name.name + ".unsaved", bytes);
  const std::string hint = file.ok() ? "; a copy of the new state is in " + *file : "";
  return Status(Code::kFailedPrecondition, "could not save the state: " + failure.message() + hint +
                                               "; the journal is kept, and the next command recovers it");
}

Status SaveSnapshot(const OperationBasis& basis, Snapshot snapshot, Journal& journal) {
  const StackContext& context = basis.context;
  FinishOptions options;
  options.seal = SealNow(context.program + " " + OperationWord(basis.options.kind));
  options.encode = basis.encoding();
  options.accept_broken = context.accept_broken;
  options.base = *basis.document;
  snapshot.secrets_type = basis.secrets->type();
  snapshot.secrets_state_json = basis.secrets->state();
  const FinishResult finished =
      FinishOperation(basis.held->lock(), journal, *context.store, context.name, std::move(snapshot), options);
  return finished.unsaved.empty() ? finished.status : SaveElsewhere(context, finished.unsaved, finished.status);
}

// A history or a backup that cannot be written fails no operation.
void Remember(const OperationBasis& basis, const OperationResult& result, const HistoryFacts& facts,
              const ReasonLog* reasons) {
  const StackContext& context = basis.context;
  const bool never_saved = basis.document->empty() && !result.snapshot;
  if (never_saved) return;  // there is no stack to remember it of
  const std::string record = HistoryRecord(basis.options.kind, basis.start_seconds, std::time(nullptr), result, facts);
  const Status remembered = context.store->Remember(context.name, record);
  if (!remembered.ok()) context.attendant->Warn(remembered.message());
  const Status kept = reasons ? KeepReasons(basis, result, *reasons, false) : Status::Ok();
  if (!kept.ok())
    context.attendant->Warn("could not write the reasons for " + QuotedCommand("why") + ": " + kept.message());
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
  checkpoints.seal = SealNow(context.program + " " + header.operation);
  checkpoints.base = base;
  checkpoints.only_at_the_end = IsTrueVariable("PULUMI_SKIP_CHECKPOINTS");
  return Journal::CreateOn(NewCheckpointFile(*context.store, context.name, checkpoints), header, options);
}

Result<std::unique_ptr<Journal>> OpenJournal(const OperationBasis& basis) {
  const StackContext& context = basis.context;
  JournalHeader header;
  header.stack = context.store->QualifiedName(context.name);
  header.base_hash = CheckpointHash(*basis.document);
  header.operation = OperationWord(basis.options.kind);
  Result<std::unique_ptr<Journal>> journal = CreateJournal(context, header, basis.encoding(), *basis.document);
  if (journal.ok()) (*journal)->set_proof([&lock = basis.held->lock()] { return lock.StillHeld(); });
  return journal;
}

Status RunAndSave(Loop& loop, const OperationBasis& basis, const RealRun& real) {
  Result<std::unique_ptr<Journal>> journal = OpenJournal(basis);
  if (!journal.ok()) return journal.status();
  JournalRecorder recorder(loop, **journal);
  const OperationResult& result = real.run(&recorder);
  // Without a snapshot nothing has changed.
  const Status saved = result.snapshot ? SaveSnapshot(basis, *result.snapshot, **journal) : (*journal)->Remove();
  if (saved.ok()) Remember(basis, result, real.facts(), real.reasons);
  return saved;
}

}  // namespace

RunEnding RunForReal(Loop& loop, OperationBasis* basis, const RealRun& real) {
  const Attendant::Scope saving = basis->context.attendant->Saving(Attendant::AfterSignal::kGoOn);
  RunEnding ending;
  ending.recorded = RunAndSave(loop, *basis, real);
  ending.released = basis->held->Release();
  return ending;
}

}  // namespace kingpost
