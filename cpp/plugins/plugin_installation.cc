// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_installation.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/disk/durable_file.h"
#include "plugins/plugin_repository.h"
#include "plugins/unpack.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLockInterval{50};

Status SystemError(const std::string& what, const std::string& path) {
  return Status(Code::kUnknown, what + " " + path + ": " + std::strerror(errno));
}

// The mark is on the disk before the first file of the plugin is. Otherwise a power cut could keep files and lose the
// mark, and half a plugin would count as installed.
Status WriteMark(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return SystemError("cannot write", path);
  const bool synced = fsync(fd) == 0;
  const Status failed = synced ? Status::Ok() : SystemError("cannot write", path);
  close(fd);
  return synced ? SyncFolder(fs::path(path).parent_path().string()) : failed;
}

// The descriptor that holds the lock.
Result<int> Lock(const std::string& path, const std::atomic<bool>* cancelled) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return SystemError("cannot open", path);
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const bool busy = errno == EWOULDBLOCK || errno == EINTR;
    if (busy && !(cancelled && cancelled->load())) {
      std::this_thread::sleep_for(kLockInterval);
      continue;
    }
    const Status failed = busy ? Status(Code::kCancelled, "cancelled while another process installs the plugin")
                               : SystemError("cannot lock", path);
    close(fd);
    return failed;
  }
  return fd;
}

bool IsGzip(const std::string& path) {
  unsigned char magic[2] = {};
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool read_both = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic;
  if (fd >= 0) close(fd);
  return read_both && magic[0] == 0x1f && magic[1] == 0x8b;
}

}  // namespace

std::string PluginFolderName(const PluginSpec& spec) {
  return spec.kind + "-" + CacheNameOf(spec.name, spec.download_url) + "-v" + spec.version;
}

Result<std::unique_ptr<PluginInstallation>> PluginInstallation::Begin(const PluginSpec& spec,
                                                                      const std::string& cache_folder, bool reinstall,
                                                                      const std::atomic<bool>* cancelled) {
  KP_ASSERT(!spec.version.empty(), "what is installed has a version");
  std::error_code error;
  fs::create_directories(cache_folder, error);
  if (error) return Status(Code::kUnknown, "cannot make the folder " + cache_folder + ": " + error.message());
  const std::string folder = cache_folder + "/" + PluginFolderName(spec);
  auto lock = Lock(folder + ".lock", cancelled);
  if (!lock.ok()) return lock.status();
  std::unique_ptr<PluginInstallation> installation(new PluginInstallation(spec, folder, *lock));
  Status prepared = installation->Prepare(reinstall);
  if (!prepared.ok()) return prepared;
  return installation;
}

Status PluginInstallation::Prepare(bool reinstall) {
  std::error_code error;
  const bool marked = fs::exists(folder_ + ".partial", error);
  if (marked) {
    const Status discarded = Discard();
    if (!discarded.ok()) {
      ended_ = true;
      return discarded.Wrap("could not discard the partial install at " + folder_);
    }
  }
  if (fs::is_directory(folder_, error) && !reinstall) {
    ended_ = complete_ = true;
    return Status::Ok();
  }
  // First the mark: nobody must take a folder for a plugin that is just being removed.
  Status status = WriteMark(folder_ + ".partial");
  if (!status.ok()) return status;
  fs::remove_all(folder_, error);
  if (error) return Status(Code::kUnknown, "cannot remove " + folder_ + ": " + error.message());
  return mkdir(folder_.c_str(), 0700) == 0 ? Status::Ok() : SystemError("cannot make the folder", folder_);
}

// The mark goes last, so that what could not be removed stays marked.
Status PluginInstallation::Discard() const {
  std::error_code error;
  fs::remove_all(folder_, error);
  if (error) return Status(Code::kUnknown, "cannot remove " + folder_ + ": " + error.message());
  const std::string mark = folder_ + ".partial";
  fs::remove(mark, error);
  return error ? Status(Code::kUnknown, "cannot remove " + mark + ": " + error.message()) : Status::Ok();
}

Status PluginInstallation::Abandon(const Status& why) {
  if (ended_) return why;
  ended_ = true;
  const Status discarded = Discard();
  if (discarded.ok()) return why;
  return Status(why.code(), why.message() + "\n" + discarded.message());
}

PluginInstallation::~PluginInstallation() {
  if (!ended_) static_cast<void>(Discard());  // a mark that stays says so to the next one
  close(lock_);                               // and with it the lock
}

Status PluginInstallation::Unpack(const DownloadedArchive& archive, const DownloadContext& context) {
  ProgressReporter progress(context.on_progress, "plugin-install", spec_.id(), "Installing plugin");
  progress.Update(0, archive.size);
  const auto on_progress = [&](int64_t bytes_read) {
    progress.Update(std::min(bytes_read, archive.size), archive.size);
    return !(context.cancelled && context.cancelled->load());
  };
  Status status = UnpackTarGz(archive.file->fd(), spec_.id(), folder_, on_progress);
  progress.Update(archive.size, archive.size);
  return status;
}

Status PluginInstallation::CopyFrom(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return Status(Code::kNotFound, "there is no file " + path);
  if (fs::is_directory(path, error)) {
    fs::copy(path, folder_, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
    return error ? Status(Code::kUnknown, "cannot copy " + path + ": " + error.message()) : Status::Ok();
  }
  if (!IsGzip(path)) return CopyFile(path);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError("cannot read", path);
  const AnonymousFile archive(fd);
  return UnpackTarGz(fd, path, folder_, nullptr);
}

// A program without anything beside it.
Status PluginInstallation::CopyFile(const std::string& path) {
  if (access(path.c_str(), X_OK) != 0) {
    return Status(Code::kInvalidArgument,
                  path + " is neither an executable file, a folder nor a .tar.gz archive; name one of these");
  }
  const std::string target = folder_ + "/" + spec_.executable();
  std::error_code error;
  fs::copy_file(path, target, error);
  if (error) return Status(Code::kUnknown, "cannot copy " + path + ": " + error.message());
  return chmod(target.c_str(), 0700) == 0 ? Status::Ok() : SystemError("cannot write", target);
}

Status PluginInstallation::Commit() {
  if (complete_) return Status::Ok();
  if (unlink((folder_ + ".partial").c_str()) != 0) return SystemError("cannot remove", folder_ + ".partial");
  ended_ = complete_ = true;
  return Status::Ok();
}

}  // namespace kingpost
