// SPDX-License-Identifier: Apache-2.0
#include "journal/checkpoint_file.h"

#include <utility>

#include "journal/journal.h"
#include "journal/recover.h"
#include "journal/replay.h"

namespace kingpost {

namespace {

// Replays the bytes of a journal as they come, so that what is saved after a step is what a recovery would have saved.
class CheckpointFile : public JournalFile {
 public:
  CheckpointFile(StateStore& store, StackName stack, CheckpointFileOptions options)
      : store_(store), stack_(std::move(stack)), options_(std::move(options)) {}

  Status Write(uint64_t, std::string_view bytes) override {
    bytes_ += bytes;
    return Status::Ok();
  }
  Status Reserve(uint64_t) override { return Status::Ok(); }

  Status Sync() override {
    if (options_.only_at_the_end) return Status::Ok();
    if (const Status read = ReadNew(); !read.ok()) return read;
    bool changed = false;
    for (const JournalEntry& entry : journal_.entries) {
      if (const Status applied = replayer_->Apply(entry); !applied.ok()) return applied;
      changed = changed || entry.kind != EntryKind::kCommit;
    }
    return changed ? Save() : Status::Ok();
  }

 private:
  // Each byte once. What is written before a sync are whole records.
  Status ReadNew() {
    const std::string bytes = std::exchange(bytes_, "");
    if (replayer_) return ParseMore(bytes, {}, &journal_);
    Result<JournalContents> journal = ParseJournal(bytes, {});
    if (!journal.ok()) return journal.status();
    journal_ = *std::move(journal);
    return Begin(journal_.header);
  }

  Status Begin(const JournalHeader& header) {
    StackDocument base;
    base.exists = !options_.base.empty();
    base.bytes = options_.base;
    base.location = stack_.str();
    const Status read = ReadBase(header, base, &document_);
    if (read.ok()) replayer_ = std::make_unique<Replayer>(std::make_shared<const Snapshot>(document_.snapshot));
    return read;
  }

  Status Save() {
    document_.snapshot = replayer_->Materialize();
    document_.has_latest = true;
    if (const Status sealed = SealSnapshot(options_.seal, &document_.snapshot); !sealed.ok()) return sealed;
    const Result<std::string> bytes = EncodeCheckpoint(document_, {});
    return bytes.ok() ? store_.Save(stack_, *bytes) : bytes.status();
  }

  StateStore& store_;
  const StackName stack_;
  const CheckpointFileOptions options_;
  std::string bytes_;        // since the last sync
  JournalContents journal_;  // what that sync brought
  CheckpointDocument document_;
  std::unique_ptr<Replayer> replayer_;
};

}  // namespace

std::unique_ptr<JournalFile> NewCheckpointFile(StateStore& store, const StackName& stack,
                                               const CheckpointFileOptions& options) {
  return std::make_unique<CheckpointFile>(store, stack, options);
}

}  // namespace kingpost
