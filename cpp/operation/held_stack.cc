// SPDX-License-Identifier: Apache-2.0
#include "operation/held_stack.h"

#include "journal/recover.h"
#include "kingpost/shared_journals.h"
#include "operation/stack_document.h"

namespace kingpost {

HeldStack::HeldStack(StackContext context)
    : context_(std::move(context)), holding_(context_.caller->Holding([this] {
        if (lock_) (void)lock_->Release();
      })) {}

Result<std::unique_ptr<HeldStack>> HeldStack::Open(StackContext context, const HoldOptions& options) {
  std::unique_ptr<HeldStack> held(new HeldStack(std::move(context)));
  const Status taken = held->Take(options);
  if (!taken.ok()) return taken;
  return held;
}

Status HeldStack::Take(const HoldOptions& options) {
  const OperationCaller::Scope saving = context_.caller->Saving(OperationCaller::AfterSignal::kEnd);
  Result<std::unique_ptr<StackLock>> lock = store().Lock(name());
  if (!lock.ok()) return lock.status();
  lock_ = std::move(*lock);
  for (const std::string& notice : lock_->notices()) context_.caller->Note(notice);
  if (const Status recovered = RecoverJournal(options); !recovered.ok()) return recovered;

  Result<StackDocument> document = store().Load(name());
  if (context_.known && document.ok() && !document->exists) {
    return Status(Code::kNotFound,
                  "no stack named '" + name().name + "' found; another command has removed or renamed it")
        .With(StackGone());
  }
  Result<std::string> contents = document.ok() ? ContentsOf(std::move(*document)) : document.status();
  damage_ = contents.status();
  if (!contents.ok()) return options.accept_damaged ? Status::Ok() : contents.status();
  document_ = std::make_shared<const std::string>(*std::move(contents));
  return Status::Ok();
}

void HeldStack::ForgetDocument() { document_ = std::make_shared<const std::string>(); }

HeldStack::~HeldStack() {
  if (lock_) (void)Release();
}

Status HeldStack::Release() {
  const OperationCaller::Scope saving = context_.caller->Saving(OperationCaller::AfterSignal::kGoOn);
  if (!lock_) return Status::Ok();
  const Status released = lock_->Release();
  lock_.reset();
  return released;
}

Status HeldStack::RecoverJournal(const HoldOptions& options) {
  if (SharedJournals* journals = store().journals(); journals && !journals->MayHaveLeftover(name()))
    return Status::Ok();
  const RecoverOptions recover{CurrentSealOptions(context_.program), context_.accept_broken, options.repair};
  Result<RecoveryReport> report{RecoveryReport()};
  const Status done = lock_->WhileHeld([&] {
    report = Recover(store(), name(), recover);
    return report.status();
  });
  if (!done.ok() && (!options.accept_damaged || !lock_->CheckHeld().ok())) return done;
  if (!done.ok()) {
    const Result<std::string> kept = SetJournalAside(store(), name());
    if (!kept.ok()) return kept.status();
    context_.caller->Warn(done.message());
    context_.caller->Warn("the journal was put aside; it is " + *kept);
    return Status::Ok();
  }
  repaired_ = report->repaired;
  for (const std::string& line : report->Lines()) context_.caller->Note(line);
  return Status::Ok();
}

Status HeldStack::Save(Snapshot snapshot, const EncodeOptions& options, bool force) {
  const Status integrity = VerifyIntegrity(snapshot);
  if (!integrity.ok() && !context_.accept_broken) {
    if (!force) return integrity.Wrap("state file contains errors");
    context_.caller->Warn("state file contains errors: " + integrity.message());
  }
  // A mark of an earlier failure goes away with the failure.
  if (integrity.ok()) snapshot.integrity_error_json.clear();
  snapshot.manifest = Manifest();
  (void)SealSnapshot(CurrentSealOptions(context_.program), &snapshot);

  CheckpointDocument checkpoint;
  checkpoint.stack = store().QualifiedName(name());
  checkpoint.has_latest = true;
  checkpoint.snapshot = std::move(snapshot);
  Result<std::string> bytes = EncodeCheckpoint(checkpoint, options);
  if (!bytes.ok()) return bytes.status();
  const OperationCaller::Scope saving = context_.caller->Saving(OperationCaller::AfterSignal::kGoOn);
  return lock_->WhileHeld([&] { return store().Save(name(), *bytes); });
}

}  // namespace kingpost
