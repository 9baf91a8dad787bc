// SPDX-License-Identifier: Apache-2.0
// The journal's file on a POSIX system.
#include "journal/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/disk/durable_file.h"

namespace kingpost {
namespace {

constexpr char kUnfinished[] = ".new";

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

class PosixFile : public JournalFile {
 public:
  PosixFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~PosixFile() override {
    ::close(fd_);
    if (!published_) ::unlink((path_ + kUnfinished).c_str());
  }

  Status Publish() override {
    if (::rename((path_ + kUnfinished).c_str(), path_.c_str()) != 0) return FileError(path_, "create", errno);
    published_ = true;
    return SyncFolder(FolderOf(path_));
  }

  Status Write(uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return FileError(path_, "write", written < 0 ? errno : ENOSPC);
      bytes.remove_prefix(static_cast<size_t>(written));
      offset += static_cast<uint64_t>(written);
    }
    return Status::Ok();
  }

  // Not repeated on EINTR or anything else: after a failed sync the pages may be gone.
  Status Sync() override { return ::fdatasync(fd_) == 0 ? Status::Ok() : FileError(path_, "sync", errno); }

  Status Reserve(uint64_t size) override {
    int error;
    do error = ::fallocate(fd_, 0, 0, static_cast<off_t>(size)) == 0 ? 0 : errno;
    while (error == EINTR);
    // Without support the file grows as it is written; a full disk is met then.
    if (error == 0 || error == EOPNOTSUPP || error == ENOSYS) return Status::Ok();
    return FileError(path_, "reserve space", error);
  }

  Status Remove() override { return RemoveJournalFile(path_); }

  Status CheckInPlace() override {
    struct stat ours, there;
    const bool same = ::fstat(fd_, &ours) == 0 && ::stat(path_.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
                      ours.st_dev == there.st_dev;
    if (same) return Status::Ok();
    return {Code::kAborted, "the journal " + path_ + " was taken over by another command or removed"};
  }

  Result<std::string> ReadBack(uint64_t size) override {
    std::string bytes(size, '\0');
    for (uint64_t done = 0; done < size;) {
      const ssize_t got = ::pread(fd_, bytes.data() + done, size - done, static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return FileError(path_, "read back", got < 0 ? errno : EIO);
      done += static_cast<uint64_t>(got);
    }
    return bytes;
  }

 private:
  const int fd_;
  const std::string path_;
  bool published_ = false;
};

class NullFile : public JournalFile {
 public:
  Status Write(uint64_t, std::string_view) override { return Status::Ok(); }
  Status Sync() override { return Status::Ok(); }
  Status Reserve(uint64_t) override { return Status::Ok(); }
};

}  // namespace

Result<std::unique_ptr<JournalFile>> CreateJournalFile(const std::string& path) {
  if (Status made = MakeFoldersDurably(FolderOf(path)); !made.ok()) return made;
  if (FileExists(path)) return FileError(path, "create", EEXIST);
  const std::string unfinished = path + kUnfinished;
  ::unlink(unfinished.c_str());  // of a process that died
  const int fd = ::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return FileError(path, "create", errno);
  return std::unique_ptr<JournalFile>(std::make_unique<PosixFile>(fd, path));
}

std::unique_ptr<JournalFile> NewNullJournalFile() { return std::make_unique<NullFile>(); }

Status RemoveJournalFile(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return errno == ENOENT ? Status::Ok() : FileError(path, "remove", errno);
  return SyncFolder(FolderOf(path));
}

}  // namespace kingpost
