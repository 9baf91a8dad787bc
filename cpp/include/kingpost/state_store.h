// SPDX-License-Identifier: Apache-2.0
// StateStore: where the documents of stacks live. It keeps bytes and knows nothing of what is in them.
//
// A seam in several forms: FileStore (Pulumi's file layout), BlobStore (the same in buckets and in PostgreSQL),
// MemoryStore, FaultyStore. All calls may block on the disk or the network, so worker threads or the command's main
// thread make them. Any thread may call. At most one call per stack runs at a time, except Lock, which arbitrates.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace kingpost {

inline constexpr char kDiyOrganization[] = "organization";

// Which stack. Parts are 1 to 100 of A-Z a-z 0-9 _ . - but not "." or "..", which would name folders.
struct StackName {
  std::string organization = kDiyOrganization;
  std::string project;
  std::string name;

  // NAME, organization/NAME or organization/PROJECT/NAME; a missing project is `current_project`.
  static Result<StackName> Parse(const std::string& text, const std::string& current_project);
  std::string str() const { return organization + "/" + project + "/" + name; }
  friend bool operator==(const StackName& a, const StackName& b) {
    return a.organization == b.organization && a.project == b.project && a.name == b.name;
  }
};

Status ValidateStackName(const std::string& name);
Status ValidateProjectName(const std::string& name);

struct StackDocument {
  std::string bytes;  // uncompressed
  bool exists = false;
  std::string location;  // for error messages: the file, or the name in memory
};

struct StackEntry {
  StackName stack;
  int64_t modified_ms = 0;  // since 1970
  bool locked = false;
};

// The owner of a stack's lock, as the lock file says.
struct LockHolder {
  std::string location;
  std::string username, hostname;
  int pid = 0;
  std::string timestamp;  // RFC 3339
  bool gone = false;      // for certain; the next Lock takes it over
  std::string remark;     // what else is known of the holder, for messages
};

// The run whose reasons a store keeps.
enum class ReasonsKind { kOperation, kPreview };

// A held lock; released when destroyed.
class StackLock {
 public:
  virtual ~StackLock() = default;
  // kAborted if someone broke the lock: the operation must not start another step, because another may be running. Any
  // thread; costs one look at a file.
  virtual Status CheckHeld() = 0;
  // Does what must not happen to a stack that is no longer ours. Where the store can, nobody else takes or breaks the
  // lock meanwhile.
  virtual Status WhileHeld(const std::function<Status()>& action) {
    const Status held = CheckHeld();
    return held.ok() ? action() : held;
  }
  virtual Status Release() = 0;
  // Leaves the lock where it is, so that other tools keep away from a stack whose journal is not yet in its checkpoint.
  // The next kingpost command finds its owner dead and takes it over.
  virtual void Abandon() = 0;
  // Notes for the user on how the lock was obtained: locks of dead owners that were taken over.
  const std::vector<std::string>& notices() const { return notices_; }

 protected:
  std::vector<std::string> notices_;
};

class SharedJournals;

class StateStore {
 public:
  virtual ~StateStore() = default;

  virtual std::string url() const = 0;  // as workspaces key their selected stack by; may hold a password
  virtual std::string printable_url() const { return url(); }  // as messages show it
  // Whether the store is there and lets us in; what is wrong is told at the latest by the first call that needs it.
  virtual Status CheckAccess() { return Status::Ok(); }

  // A missing stack is not an error: exists is false.
  virtual Result<StackDocument> Load(const StackName& stack) = 0;
  // In the order of `stacks`; several at a time where each waits for a service.
  virtual Result<std::vector<StackDocument>> LoadMany(const std::vector<StackName>& stacks);
  // Durable and all-or-nothing: after an error the former document and its backup are as they were.
  virtual Status Save(const StackName& stack, std::string_view bytes) = 0;
  // Load syncs what it returns, even if its writer died before it could.
  virtual Status Settle(const StackName&) { return Status::Ok(); }
  virtual Result<bool> Exists(const StackName& stack) = 0;
  virtual Result<std::vector<StackEntry>> List() = 0;  // sorted by project, then name
  // The document, its history, reasons, tags and journal. Keeps a last backup unless remove_backups.
  virtual Status Remove(const StackName& stack, bool remove_backups) = 0;
  // The document under a new name is given, because names are part of what it says; history, tags and all else follow.
  virtual Status Rename(const StackName& from, const StackName& to, std::string_view bytes) = 0;

  // One finished operation: the record (a JSON object) and a copy of the document of now.
  virtual Status AppendHistory(const StackName& stack, std::string_view record) = 0;
  // Records, newest first. page_size 0: all; pages count from 1.
  virtual Result<std::vector<std::string>> ReadHistory(const StackName& stack, int page_size, int page) = 0;
  // Copies the document of now beside the others; nothing is ever removed from there.
  virtual Status Backup(const StackName& stack) = 0;
  // Both of them, which may cost a store less than one after the other.
  virtual Status RecordOperation(const StackName& stack, std::string_view record) {
    const Status remembered = AppendHistory(stack, record);
    const Status copied = Backup(stack);
    if (!remembered.ok()) return remembered.Wrap("could not write the history");
    return copied.Wrap("could not write a backup");
  }

  // Why the last operation, and the last preview, did what they did: a small document each, in place of the one before.
  // They are not synced, and need no lock. "" if there is none.
  virtual Status SaveReasons(const StackName& stack, ReasonsKind of, std::string_view bytes) = 0;
  virtual Result<std::string> LoadReasons(const StackName& stack, ReasonsKind of) = 0;

  virtual Result<std::unique_ptr<StackLock>> Lock(const StackName& stack) = 0;
  virtual Result<std::vector<LockHolder>> Locks(const StackName& stack) = 0;
  virtual Result<int> BreakLocks(const StackName& stack) = 0;  // how many there were

  virtual Result<std::map<std::string, std::string>> LoadTags(const StackName& stack) = 0;
  virtual Status SaveTags(const StackName& stack, const std::map<std::string, std::string>& tags) = 0;

  // Where the engine keeps the journal of a running operation; nothing is made there. "" if the store is not on a disk:
  // then it keeps journals itself, or they stay in memory.
  virtual Result<std::string> JournalPath(const StackName& stack) = 0;
  virtual SharedJournals* journals() { return nullptr; }
  // The name of the stack in checkpoints: organization/PROJECT/NAME, or NAME in a store of the legacy layout.
  virtual std::string QualifiedName(const StackName& stack) const { return stack.str(); }
};

// "the stack is currently locked by N lock(s). ..." and one line per holder. SDKs match on the text.
Status LockedError(const std::vector<LockHolder>& holders);

// file://PATH (also file://~ and relative paths), postgres://, or mem:// and "memory". Others are refused with the
// remedy.
Result<std::unique_ptr<StateStore>> OpenStore(const std::string& url);

std::unique_ptr<StateStore> NewMemoryStore();

// Passes on to another store and fails when told to. For tests.
struct StoreFaults {
  enum class Kind { kNoSpace, kIoError, kShortWrite };
  Kind kind = Kind::kNoSpace;
  int fail_at = 0;          // the Nth write (1-based) of any kind fails, 0: none
  bool fail_after = false;  // and so do all later ones
};
// kShortWrite tells the caller that half the bytes were written; what was there before is untouched in all cases, as
// the contract of Save says. `writes`, if given, counts the writes asked for.
std::unique_ptr<StateStore> NewFaultyStore(std::shared_ptr<StateStore> inner, StoreFaults faults,
                                           int* writes = nullptr);

}  // namespace kingpost
