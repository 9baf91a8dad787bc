// SPDX-License-Identifier: Apache-2.0
// See file_lock.h.
#include "store/file_lock.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "base/command_name.h"
#include "base/disk/durable_file.h"
#include "base/disk/folder_lock.h"
#include "store/lock_record.h"

namespace kingpost {
namespace {

// The process that holds the turn may hang on its disk: then the lock files alone arbitrate, as they do with the other
// tool.
constexpr std::chrono::seconds kTurnPatience{10};

bool EndsWith(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The other tool takes no file for a lock whose name ends like this, and neither do we: sidecars, and locks that are
// still being written.
constexpr char kSidecar[] = ".attrs";
constexpr char kUnfinished[] = ".tmp.attrs";

Result<std::vector<LockRecord>> ReadLocks(const std::string& folder, const std::string& except) {
  std::vector<LockRecord> locks;
  DIR* directory = opendir(folder.c_str());
  if (!directory) return errno == ENOENT ? Result<std::vector<LockRecord>>(locks) : FileError(folder, "list", errno);
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    const std::string path = folder + "/" + name;
    struct stat status;
    if (EndsWith(name, kSidecar) || path == except || stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode))
      continue;
    const Result<std::string> bytes = ReadWholeFile(path);
    if (!bytes.ok() && bytes.status().code() == Code::kNotFound) continue;  // released just now
    locks.push_back(ParseLockRecord(path, bytes.ok() ? *bytes : ""));
  }
  closedir(directory);
  std::sort(locks.begin(), locks.end(),
            [](const LockRecord& a, const LockRecord& b) { return a.holder.location < b.holder.location; });
  return locks;
}

Status RemoveLock(const std::string& path) {
  const Status removed = RemoveFile(path);
  return removed.ok() ? RemoveFile(path + ".attrs") : removed;
}

// A file as it was when it was written: a name alone may be that of another's file.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
};

// Synced, because after a power cut the lock keeps other tools from a checkpoint that lags behind its journal.
Result<FileIdentity> WriteAside(const std::string& path, const std::string& bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return FileError(path, "create", errno);
  int error = errno = 0;
  if (write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) error = errno ? errno : ENOSPC;
  if (!error && fsync(fd) != 0) error = errno;
  struct stat status {};
  if (!error && fstat(fd, &status) != 0) error = errno;
  close(fd);
  if (error) return FileError(path, "write", error);
  return FileIdentity{status.st_dev, status.st_ino};
}

// The file appears whole: a lock that does not name its owner blocks the stack until a user cancels
// it.
Result<FileIdentity> WriteLock(const std::string& path) {
  const std::string aside = path + kUnfinished;
  const Result<FileIdentity> written = WriteAside(aside, NewLockRecord());
  if (written.ok() && rename(aside.c_str(), path.c_str()) == 0) {
    const Status synced = SyncFolder(path.substr(0, path.rfind('/')));
    if (synced.ok()) return written;
    unlink(path.c_str());
    return synced;
  }
  const int error = errno;
  unlink(aside.c_str());
  return written.ok() ? FileError(path, "create", error) : written.status();
}

// The files of processes that were killed while they wrote. Only in a turn, so nobody is writing now.
void RemoveUnfinished(const std::string& folder) {
  DIR* directory = opendir(folder.c_str());
  if (!directory) return;
  while (const dirent* entry = readdir(directory)) {
    if (EndsWith(entry->d_name, kUnfinished)) unlink((folder + "/" + entry->d_name).c_str());
  }
  closedir(directory);
}

class FileLock : public StackLock {
 public:
  FileLock(std::string path, FileIdentity identity, std::string stack, std::vector<std::string> notices)
      : path_(std::move(path)), identity_(identity), stack_(std::move(stack)) {
    notices_ = std::move(notices);
  }
  ~FileLock() override { (void)Release(); }

  Status CheckHeld() override {
    struct stat now;
    if (held_ && stat(path_.c_str(), &now) == 0 && now.st_ino == identity_.inode && now.st_dev == identity_.device) {
      return Status::Ok();
    }
    return {Code::kAborted, "the lock of stack " + stack_ + " was removed, perhaps by " + QuotedCommand("cancel") +
                                "; stopping, because "
                                "another operation may be running"};
  }

  // A command that cancels us, or takes over after that, waits for the end of the action, if it does not take too long.
  Status WhileHeld(const std::function<Status()>& action) override {
    const FolderLock turn(path_.substr(0, path_.rfind('/')), kTurnPatience);
    const Status held = CheckHeld();
    return held.ok() ? action() : held;
  }

  Status Release() override { return held_.exchange(false) ? RemoveLock(path_) : Status::Ok(); }

  void Abandon() override {
    if (held_.exchange(false)) AbandonLock(path_);
  }

 private:
  const std::string path_;
  const FileIdentity identity_;
  const std::string stack_;
  std::atomic<bool> held_{true};
};

}  // namespace

Result<std::unique_ptr<StackLock>> AcquireFileLock(const std::string& folder, const std::string& stack) {
  const Status made = MakeFolders(folder);
  if (!made.ok()) return made;
  const FolderLock turn(folder, kTurnPatience);
  RemoveUnfinished(folder);

  const Result<std::vector<LockRecord>> before = ReadLocks(folder, "");
  if (!before.ok()) return before.status();
  std::vector<LockRecord> dead, living;
  for (const LockRecord& lock : *before) (lock.gone ? dead : living).push_back(lock);
  if (!living.empty()) return LockedError(Holders(living));

  // Ours is written before the dead ones go: other tools never see the stack unlocked in between.
  const std::string path = folder + "/" + NewLockId() + ".json";
  const Result<FileIdentity> written = WriteLock(path);
  if (!written.ok()) return written.status();
  std::vector<std::string> notices;
  for (const LockRecord& lock : dead) {
    (void)RemoveLock(lock.holder.location);
    notices.push_back(TakeoverNotice(lock, stack));
  }
  const Result<std::vector<LockRecord>> after = ReadLocks(folder, path);
  if (!after.ok() || !after->empty()) {
    (void)RemoveLock(path);
    return after.ok() ? LockedError(Holders(*after)) : after.status();
  }
  return std::unique_ptr<StackLock>(std::make_unique<FileLock>(path, *written, stack, std::move(notices)));
}

Result<std::vector<LockHolder>> ListFileLocks(const std::string& folder) {
  const Result<std::vector<LockRecord>> locks = ReadLocks(folder, "");
  if (!locks.ok()) return locks.status();
  return Holders(*locks);
}

Result<int> RemoveFileLocks(const std::string& folder) {
  const FolderLock turn(folder, kTurnPatience);  // not in the middle of another process's last save
  const Result<std::vector<LockRecord>> locks = ReadLocks(folder, "");
  if (!locks.ok()) return locks.status();
  for (const LockRecord& lock : *locks) {
    const Status removed = RemoveLock(lock.holder.location);
    if (!removed.ok()) return removed;
  }
  return static_cast<int>(locks->size());
}

}  // namespace kingpost
