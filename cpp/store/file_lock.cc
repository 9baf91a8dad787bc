// SPDX-License-Identifier: Apache-2.0
// See file_lock.h.
#include "store/file_lock.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <mutex>
#include <set>

#include "base/clock.h"
#include "base/encoding.h"
#include "base/json_access.h"
#include "secrets/aes_gcm.h"
#include "store/durable_file.h"
#include "store/folder_turn.h"
#include "store/process_identity.h"

namespace kingpost {
namespace {

// Whoever holds the turn may hang on its disk: then the lock files alone arbitrate, as they do with the other tool.
constexpr std::chrono::seconds kTurnPatience{10};

struct LockFile {
  LockHolder holder;
  ProcessIdentity process;
};

// Locks this very process left behind on purpose: their owner lives, but nobody uses them.
struct AbandonedLocks {
  std::mutex mutex;
  std::set<std::string> paths;
};

AbandonedLocks& Abandoned() {
  static auto* abandoned = new AbandonedLocks;
  return *abandoned;
}

bool WasAbandoned(const std::string& path) {
  std::lock_guard<std::mutex> lock(Abandoned().mutex);
  return Abandoned().paths.count(path) > 0;
}

// 0 for what is no process ID.
int ProcessIdIn(const nlohmann::json& content) {
  const int64_t pid = IntegerOf(content, "pid");
  return pid > 0 && pid <= INT_MAX ? static_cast<int>(pid) : 0;
}

// A file that cannot be understood is a lock all the same, of an unknown holder: it may be half-written.
LockFile ParseLock(const std::string& path, const std::string& bytes) {
  LockFile lock;
  lock.holder.location = path;
  const nlohmann::json content = ParseJson(bytes);
  lock.holder.username = TextOf(content, "username");
  lock.holder.hostname = TextOf(content, "hostname");
  lock.holder.timestamp = TextOf(content, "timestamp");
  lock.holder.pid = ProcessIdIn(content);
  lock.process.pid = lock.holder.pid;
  lock.process.username = lock.holder.username;
  lock.process.hostname = lock.holder.hostname;
  lock.process.machine = TextOf(content, "machine");
  lock.process.boot_id = TextOf(content, "bootId");
  lock.process.pid_namespace = TextOf(content, "pidNamespace");
  lock.process.start_time = static_cast<uint64_t>(std::max<int64_t>(0, IntegerOf(content, "startTime")));
  return lock;
}

bool EndsWith(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The other tool takes no file for a lock whose name ends like this, and neither do we: sidecars, and locks that are
// still being written.
constexpr char kSidecar[] = ".attrs";
constexpr char kUnfinished[] = ".tmp.attrs";

Result<std::vector<LockFile>> ReadLocks(const std::string& folder, const std::string& except) {
  std::vector<LockFile> locks;
  DIR* directory = opendir(folder.c_str());
  if (!directory) return errno == ENOENT ? Result<std::vector<LockFile>>(locks) : FileError(folder, "list", errno);
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    const std::string path = folder + "/" + name;
    struct stat status;
    if (EndsWith(name, kSidecar) || path == except || stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode))
      continue;
    const Result<std::string> bytes = ReadWholeFile(path);
    if (!bytes.ok() && bytes.status().code() == Code::kNotFound) continue;  // released just now
    locks.push_back(ParseLock(path, bytes.ok() ? *bytes : ""));
  }
  closedir(directory);
  std::sort(locks.begin(), locks.end(),
            [](const LockFile& a, const LockFile& b) { return a.holder.location < b.holder.location; });
  return locks;
}

Status RemoveLock(const std::string& path) {
  const Status removed = RemoveFile(path);
  return removed.ok() ? RemoveFile(path + ".attrs") : removed;
}

std::string LockContent() {
  const ProcessIdentity self = ThisProcess();
  const nlohmann::ordered_json content = {{"pid", self.pid},
                                          {"username", self.username},
                                          {"hostname", self.hostname},
                                          {"timestamp", NowRfc3339()},
                                          {"machine", self.machine},
                                          {"bootId", self.boot_id},
                                          {"pidNamespace", self.pid_namespace},
                                          {"startTime", self.start_time}};
  return content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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

// Whole from the first moment at which anyone sees it: a lock that says nothing of its owner blocks the stack until
// somebody cancels it.
Result<FileIdentity> WriteLock(const std::string& path) {
  const std::string aside = path + kUnfinished;
  const Result<FileIdentity> written = WriteAside(aside, LockContent());
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

// What processes left that were killed while they wrote. Only in a turn, so nobody is writing now.
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

  Status StillHeld() override {
    struct stat now;
    if (held_ && stat(path_.c_str(), &now) == 0 && now.st_ino == identity_.inode && now.st_dev == identity_.device) {
      return Status::Ok();
    }
    return {Code::kAborted, "the lock of stack " + stack_ +
                                " was removed, perhaps by 'kingpost cancel'; stopping, because "
                                "another operation may be running"};
  }

  // Whoever cancels us, or takes over after that, waits for the end of the action, if it does not take too long.
  Status WhileHeld(const std::function<Status()>& action) override {
    const FolderTurn turn(path_.substr(0, path_.rfind('/')), kTurnPatience);
    const Status held = StillHeld();
    return held.ok() ? action() : held;
  }

  Status Release() override { return held_.exchange(false) ? RemoveLock(path_) : Status::Ok(); }

  void Abandon() override {
    if (!held_.exchange(false)) return;
    std::lock_guard<std::mutex> lock(Abandoned().mutex);
    Abandoned().paths.insert(path_);
  }

 private:
  const std::string path_;
  const FileIdentity identity_;
  const std::string stack_;
  std::atomic<bool> held_{true};
};

std::string TakeoverNotice(const LockFile& lock, const std::string& stack) {
  return "took over the lock of stack " + stack + " left by " + lock.holder.username + "@" + lock.holder.hostname +
         " (pid " + std::to_string(lock.holder.pid) + ") at " + lock.holder.timestamp + ": that process is gone";
}

std::vector<LockHolder> Holders(const std::vector<LockFile>& locks) {
  const ProcessIdentity self = ThisProcess();
  std::vector<LockHolder> holders;
  for (const LockFile& lock : locks) {
    holders.push_back(lock.holder);
    const Presence presence = JudgePresence(lock.process, self);
    holders.back().gone = WasAbandoned(lock.holder.location) || presence == Presence::kGone;
    const bool unseen = kill(lock.process.pid, 0) != 0 && errno == ESRCH;
    if (presence == Presence::kUnknown && lock.process.pid > 0 && unseen) {
      holders.back().remark =
          "; no such process is seen from here, but whether it is gone cannot be told (it may be in another container "
          "or on another machine)";
    }
  }
  return holders;
}

}  // namespace

Result<std::unique_ptr<StackLock>> AcquireFileLock(const std::string& folder, const std::string& stack) {
  const Status made = MakeFolders(folder);
  if (!made.ok()) return made;
  const FolderTurn turn(folder, kTurnPatience);
  RemoveUnfinished(folder);

  const Result<std::vector<LockFile>> before = ReadLocks(folder, "");
  if (!before.ok()) return before.status();
  std::vector<LockFile> dead, living;
  for (const LockFile& lock : *before) {
    const bool gone = WasAbandoned(lock.holder.location) || PresenceOf(lock.process) == Presence::kGone;
    (gone ? dead : living).push_back(lock);
  }
  if (!living.empty()) return LockedError(Holders(living));

  // Ours is written before the dead ones go: other tools never see the stack unlocked in between.
  const std::string path = folder + "/" + FormatUuid4(RandomBytes(16)) + ".json";
  const Result<FileIdentity> written = WriteLock(path);
  if (!written.ok()) return written.status();
  std::vector<std::string> notices;
  for (const LockFile& lock : dead) {
    (void)RemoveLock(lock.holder.location);
    notices.push_back(TakeoverNotice(lock, stack));
  }
  const Result<std::vector<LockFile>> after = ReadLocks(folder, path);
  if (!after.ok() || !after->empty()) {
    (void)RemoveLock(path);
    return after.ok() ? LockedError(Holders(*after)) : after.status();
  }
  return std::unique_ptr<StackLock>(std::make_unique<FileLock>(path, *written, stack, std::move(notices)));
}

Result<std::vector<LockHolder>> ListFileLocks(const std::string& folder) {
  const Result<std::vector<LockFile>> locks = ReadLocks(folder, "");
  if (!locks.ok()) return locks.status();
  return Holders(*locks);
}

Result<int> RemoveFileLocks(const std::string& folder) {
  const FolderTurn turn(folder, kTurnPatience);  // not in the middle of somebody's last save
  const Result<std::vector<LockFile>> locks = ReadLocks(folder, "");
  if (!locks.ok()) return locks.status();
  for (const LockFile& lock : *locks) {
    const Status removed = RemoveLock(lock.holder.location);
    if (!removed.ok()) return removed;
  }
  return static_cast<int>(locks->size());
}

Status LockedError(const std::vector<LockHolder>& holders) {
  std::string text =
      "the stack is currently locked by " + std::to_string(holders.size()) +
      " lock(s). Either wait for the other process(es) to end or delete the lock file with `kingpost cancel`.";
  for (const LockHolder& holder : holders) {
    // Fractions of a second are left out, as RFC 3339 without them is what tools parse here.
    std::string time = holder.timestamp;
    const size_t dot = time.find('.');
    if (dot != std::string::npos) time.erase(dot, time.find_first_not_of("0123456789", dot + 1) - dot);
    const std::string location = holder.location[0] == '/' ? "file://" + holder.location : holder.location;
    text += "\n  " + location + ": created by ";
    text += holder.pid == 0 ? "an unknown process"
                            : holder.username + "@" + holder.hostname + " (pid " + std::to_string(holder.pid) +
                                  ") at " + time + holder.remark;
  }
  return {Code::kFailedPrecondition, text};
}

}  // namespace kingpost
