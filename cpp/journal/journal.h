// SPDX-License-Identifier: Apache-2.0
// The journal: the only code that writes state while an operation runs (docs/journal.md).
//
// Append() returns at once; a writer thread encodes the waiting entries, writes them, syncs the file once for all of
// them and then tells each waiter. The file belongs to this object; one process at a time (the stack's lock sees to
// that).
//
//     engine thread   Append ─▶ queue ─┐                            ┌─▶ on_synced, on_synced, ...
//     writer thread                    └─▶ encode ─▶ write ─▶ sync ─┘
//
// Where a sync is a request to a service several are under way at a time. Answers come in the order of the requests: an
// acknowledged entry implies all before it.
//
// The first failure of a write or a sync is final. That entry, all that wait and all later ones get the same status,
// because a failed sync leaves the disk in an unknown state.
//
// After every sync the journal proves that the stack is still its own: the file has its name, and the lock is held. If
// not, another process took the lock away and may be working on the stack. Then waiters get an error, and no new
// operation begins. Entries are still written, and can be kept aside to be merged.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "journal/entry.h"
#include "journal/journal_file.h"

namespace kingpost {

// Whose journal it is. The first record of the file.
struct JournalHeader {
  std::string stack;      // "organization/project/name"
  std::string base_hash;  // SHA-256 of the checkpoint the entries count from, "" if there was none
  std::string operation;  // "update", "destroy", ... for messages
  // The encrypter of the entries: set by the journal from its options, "" if there is none.
  std::string secrets_type = {}, secrets_state_json = {};
};

// Lower-case hex SHA-256 of a document as the store saves it; "" for an absent one.
std::string CheckpointHash(std::string_view document);

class Journal {
 public:
  using OnSynced = std::function<void(Status)>;

  // kManual: nobody writes until WriteWaiting() or StartWriter() is called, so that a test decides when, and how many
  // entries share a sync.
  enum class Writer { kThread, kManual };

  // Makes the file, durably and for the owner only. Fails if it exists: a journal that is left over must be recovered
  // first (journal/recover.h). The secrets manager and the cache in `options` are used on the writer thread.
  // With the path "" nothing is kept, as for a store that has no disk.
  static Result<std::unique_ptr<Journal>> Create(const std::string& path, const JournalHeader& header,
                                                 const EncodeOptions& options, Writer writer = Writer::kThread);
  // The same on any file that is empty: of a store that keeps journals itself, or of a test.
  static Result<std::unique_ptr<Journal>> CreateOn(std::unique_ptr<JournalFile> file, const JournalHeader& header,
                                                   const EncodeOptions& options);
  ~Journal();  // writes and syncs what is queued
  Journal(const Journal&) = delete;

  // Asked after every sync, on the writer thread: StackLock::CheckHeld. Before the first Append.
  void set_ownership_check(std::function<Status()> proof) { ownership_check_ = std::move(proof); }
  // kAborted if the stack is not ours any more. Any thread.
  Status CheckOwned() const;
  // Whether the file still has its name; true if nothing is kept.
  bool InPlace() const { return !file_ || file_->CheckInPlace().ok(); }
  bool ends_with_save() const { return file_ && file_->EndsWithSave(); }
  uint32_t salt() const { return salt_; }  // tells this file from any other journal

  // Engine thread. on_synced runs on the thread of the writer or of a sync, once the entry is on the disk, or has
  // failed. Without one, there is no waiter: the entry is written, and synced along with the next one that has a
  // waiter.
  void Append(JournalEntry entry, OnSynced on_synced);

  // Only for a journal that is written by hand. The first writes what is queued, as one batch, and is false if nothing
  // was; the second leaves all else to a thread.
  bool WriteWaiting();
  void StartWriter() { writer_ = std::thread(&Journal::RunWriter, this); }

  // Writes and syncs all that is queued and ends the writer thread. The first failure, if there was one.
  Status Close();

  // Only after the store was out of reach: closes the journal, and sends again what is not stored. CheckOwned().
  Status SendAgain();
  bool closed();

  // After the checkpoint is saved: closes and deletes the file, durably. A failed journal can be removed too, if the
  // caller saved what it would have held. A file that has taken its place stays.
  Status Remove();

  // For one that lost the stack: closes it, and writes all of it to `path` with a note of how much was known to have
  // been in place.
  Status KeepAside(const std::string& path);

 private:
  struct Pending {
    JournalEntry entry;
    OnSynced on_synced;
  };
  // Entries that are written, and who waits for them.
  struct Batch {
    std::vector<OnSynced> waiters;
    uint64_t written = 0;  // records of the file, with those of this batch
  };

  Journal(std::unique_ptr<JournalFile> file, const EncodeOptions& options);
  Status WriteHeader(const JournalHeader& header);
  void RunWriter();
  void GatherMore(std::unique_lock<std::mutex>* lock);
  void WriteBatch(std::vector<Pending> batch, bool sync);
  Status Encode(std::vector<Pending>* batch, std::string* bytes, size_t* encoded);
  void SyncBatch(Batch batch);
  void Synced(const Batch& batch, Status synced);
  Status Fail(const Status& status);
  Status WriteBytes(const std::string& bytes, uint64_t records, bool begins);
  Status Reserve(uint64_t end, bool room);
  Status ConfirmWritten(uint64_t written);

  // Writer thread only, once it runs.
  std::unique_ptr<JournalFile> file_;
  const EncodeOptions options_;
  uint64_t offset_ = 0;    // where the next record goes
  uint64_t reserved_ = 0;  // bytes of the file that are known to have space
  uint64_t written_ = 0;   // records written; the next one's sequence
  uint64_t asked_ = 0;     // records for which a sync was asked
  uint32_t salt_ = 0;
  std::function<Status()> ownership_check_;

  // Where syncs are answered, one at a time.
  uint64_t proven_ = 0;  // records written when the stack was last known to be ours
  Status lost_;          // how the stack was lost

  std::mutex mutex_;
  std::condition_variable wake_, answered_;
  std::vector<Pending> queue_;
  size_t awaited_ = 0;    // entries of the queue with a waiter
  size_t company_ = 0;    // entries that the last sync was awaited for: as many may come again
  size_t in_flight_ = 0;  // syncs
  uint64_t synced_ = 0;   // records known to be on the disk
  Status failure_;        // of a write, a sync or an encoding; the first one is final
  Status sync_failure_;
  bool closing_ = false, removing_ = false;
  bool committed_ = false;
  std::thread writer_;
};

struct JournalContents {
  JournalHeader header;
  std::vector<JournalEntry> entries;  // Commit entries included
  uint32_t salt = 0;                  // tells this file from any other journal
  uint64_t records = 0;               // with the header; 0 if not even that was written whole
  uint64_t valid_bytes = 0;
  uint64_t torn_tail_bytes = 0;  // written after the last valid record and never synced
};

enum class ReadScope {
  kAll,
  kForReplay,  // operations that ended are read without what was pending meanwhile, which nobody will ask for
};

// Reads all entries; kNotFound if there is no file. A torn tail is dropped. A record that is broken although it had
// been synced is an error that names the record, and nothing is read.
Result<JournalContents> ReadJournal(const std::string& path, const DecodeOptions& options,
                                    ReadScope scope = ReadScope::kAll);
Result<JournalContents> ParseJournal(std::string_view bytes, const DecodeOptions& options,
                                     ReadScope scope = ReadScope::kAll);
// Goes on where `contents` ended: its entries are those of `bytes` alone, which follow what was read before.
Status ParseMore(std::string_view bytes, const DecodeOptions& options, JournalContents* contents);

}  // namespace kingpost
