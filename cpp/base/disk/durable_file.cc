// SPDX-License-Identifier: Apache-2.0
// See durable_file.h.
#include "base/disk/durable_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace kingpost {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int Close() {
    const int result = fd_ >= 0 ? close(fd_) : 0;
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

int Fault(const DurableOptions& options, FileOp op, const std::string& path) {
  return options.fault && *options.fault ? (*options.fault)(op, path) : 0;
}

// Where the bytes end up if path is a symbolic link, also one that points to nothing yet.
std::string ResolveLink(const std::string& path) {
  char target[PATH_MAX];
  if (realpath(path.c_str(), target)) return target;
  std::string resolved = path;
  for (int hops = 0; hops < 40; ++hops) {
    const ssize_t size = readlink(resolved.c_str(), target, sizeof target);
    if (size < 0 || size == static_cast<ssize_t>(sizeof target)) break;
    const std::string link(target, static_cast<size_t>(size));
    resolved = link[0] == '/' ? link : FolderOf(resolved) + "/" + link;
  }
  return resolved;
}

std::string TemporaryBeside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return path + "." + std::to_string(getpid()) + "." + std::to_string(counter++) + ".tmp";
}

Status WriteOrFail(int fd, std::string_view bytes, const std::string& path, const DurableOptions& options) {
  if (const int error = Fault(options, FileOp::kWrite, path)) {
    // As a full disk does it: a part arrives.
    if (write(fd, bytes.data(), bytes.size() / 2) < 0) return FileError(path, "write", errno);
    return FileError(path, "write", error);
  }
  return WriteAll(fd, bytes, path);
}

// Teams share a state folder by its modes; replacing a file must not change who may read it.
void CopyMode(const std::string& from, int to) {
  struct stat status;
  if (stat(from.c_str(), &status) == 0) (void)!fchmod(to, status.st_mode & 0777);
}

Status WriteSynced(const std::string& path, std::string_view bytes, const std::string& target, const std::string& name,
                   const DurableOptions& options) {
  if (const int error = Fault(options, FileOp::kOpen, name)) return FileError(name, "create", error);
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) return FileError(name, "create", errno);
  CopyMode(target, file.get());
  const Status written = WriteOrFail(file.get(), bytes, name, options);
  if (!written.ok()) return written;
  if (const int error = Fault(options, FileOp::kSync, name)) return FileError(name, "sync", error);
  if (options.sync && fsync(file.get()) != 0) return FileError(name, "sync", errno);
  struct stat status;
  if (fstat(file.get(), &status) != 0 || status.st_size != static_cast<off_t>(bytes.size())) {
    return FileError(name, "write", EIO);
  }
  if (file.Close() != 0) return FileError(name, "close", errno);
  return Status::Ok();
}

Status SyncFolderWith(const std::string& folder, const DurableOptions& options) {
  if (const int error = Fault(options, FileOp::kSyncFolder, folder)) return FileError(folder, "sync", error);
  const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() < 0) return FileError(folder, "open", errno);
  // Some file systems refuse to sync folders; they order renames on their own.
  if (fsync(fd.get()) != 0 && errno != EINVAL && errno != ENOTSUP) return FileError(folder, "sync", errno);
  return Status::Ok();
}

// Cheap evidence that a file was written to its end: compressed files begin, documents end, as they should.
bool LooksWhole(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return false;
  unsigned char head[2] = {};
  if (pread(file.get(), head, 2, 0) != 2) return false;
  if ((head[0] == 0x1f && head[1] == 0x8b) || (head[0] == 0x28 && head[1] == 0xb5)) return true;
  char tail[64] = {};
  const off_t size = lseek(file.get(), 0, SEEK_END);
  const off_t from = size > static_cast<off_t>(sizeof tail) ? size - static_cast<off_t>(sizeof tail) : 0;
  const ssize_t got = pread(file.get(), tail, sizeof tail, from);
  for (ssize_t i = got - 1; i >= 0; --i) {
    if (!std::strchr(" \t\r\n", tail[i]) || tail[i] == '\0') return tail[i] == '}';
  }
  return false;
}

// A second name for the former file, put in place by a rename: the backup is never half-written, and costs no copy.
Status KeepFormer(const std::string& path, const DurableOptions& options) {
  if (options.backup_path.empty() || !LooksWhole(path)) return Status::Ok();
  if (const int error = Fault(options, FileOp::kLink, options.backup_path))
    return FileError(options.backup_path, "create", error);
  const std::string temporary = TemporaryBeside(options.backup_path);
  if (link(path.c_str(), temporary.c_str()) != 0) {
    const Result<std::string> former = ReadWholeFile(path);  // no links here, or another file system behind a link
    if (!former.ok()) return former.status();
    return WriteFileDurably(options.backup_path, *former,
                            {.backup_path = "", .fault = options.fault, .sync = options.sync});
  }
  if (rename(temporary.c_str(), options.backup_path.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    return FileError(options.backup_path, "rename to", error);
  }
  unlink(temporary.c_str());  // rename does nothing if both names are the same file already
  return Status::Ok();
}

}  // namespace

Status SyncFolder(const std::string& path) { return SyncFolderWith(path, {}); }

namespace {

bool IsEmptyFolder(const std::string& path) {
  DIR* directory = opendir(path.c_str());
  if (!directory) return false;
  bool empty = true;
  while (const dirent* entry = readdir(directory)) {
    const std::string_view name = entry->d_name;
    empty = empty && (name == "." || name == "..");
  }
  closedir(directory);
  return empty;
}

// An empty folder may come from a process that could not sync its name: a power cut would remove it with all that is
// put into it now.
Status SettleFolder(const std::string& path) {
  if (!IsEmptyFolder(path)) return Status::Ok();
  const Status synced = SyncFolder(FolderOf(path));
  return synced.code() == Code::kPermissionDenied ? Status::Ok() : synced;  // of a folder that is not ours
}

// `found`: what is to be done about a folder that is there.
Status MakeFoldersOr(Status (*found)(const std::string&), const std::string& path) {
  if (path.empty() || path == "/" || path == ".") return Status::Ok();
  struct stat status;
  if (stat(path.c_str(), &status) == 0) {
    return S_ISDIR(status.st_mode) ? found(path) : FileError(path, "make a folder", ENOTDIR);
  }
  const Status parent = MakeFoldersOr(SettleFolder, FolderOf(path));
  if (!parent.ok()) return parent;
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return FileError(path, "make a folder", errno);
  return SyncFolder(FolderOf(path));
}

}  // namespace

Status MakeFolders(const std::string& path) {
  return MakeFoldersOr([](const std::string&) { return Status::Ok(); }, path);
}

Status MakeFoldersDurably(const std::string& path) { return MakeFoldersOr(SettleFolder, path); }

Status WriteFileDurably(const std::string& path, std::string_view bytes, const DurableOptions& options) {
  const std::string target = ResolveLink(path);
  const std::string folder = FolderOf(target);
  const Status folders = options.sync ? MakeFoldersDurably(folder) : MakeFolders(folder);
  if (!folders.ok()) return folders;

  const std::string temporary = TemporaryBeside(target);
  Status done = WriteSynced(temporary, bytes, target, path, options);
  if (done.ok()) done = KeepFormer(target, options);
  if (done.ok()) {
    if (const int error = Fault(options, FileOp::kRename, path)) {
      done = FileError(path, "replace", error);
    } else if (rename(temporary.c_str(), target.c_str()) != 0) {
      done = FileError(path, "replace", errno);
    }
  }
  if (!done.ok()) {
    unlink(temporary.c_str());
    return done;
  }
  return options.sync ? SyncFolderWith(folder, options) : Status::Ok();
}

Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return FileError(path, "remove", errno);
  return Status::Ok();
}

bool FileExists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

}  // namespace kingpost
