// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watched_files.h"

#include <limits.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include "base/os.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr uint32_t kOfFolders = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ONLYDIR;
constexpr off_t kReadBytesMax = 8 << 20;  // larger files are told apart by their times

constexpr uint64_t kGone = 0;

// A hash of the file's contents.
uint64_t ContentOf(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return kGone;
  const auto number = [](auto value) { return static_cast<uint64_t>(value); };
  const uint64_t times =
      number(info.st_mtim.tv_sec) * 1'000'000'007 + number(info.st_mtim.tv_nsec) + number(info.st_ino);
  if (!S_ISREG(info.st_mode) || info.st_size > kReadBytesMax) return times | 1;
  const Result<std::string> text = ReadWholeFile(path);
  return text.ok() ? std::hash<std::string_view>()(*text) | 1 : times | 1;
}

Status CannotWatch(const std::string& path) {
  const int error = errno;
  std::string text = "cannot watch " + path + ": " + std::strerror(error);
  if (error == ENOSPC) text += ": raise fs.inotify.max_user_watches (sysctl), or leave large folders to .gitignore";
  if (error == EMFILE) text = "cannot watch files: raise fs.inotify.max_user_instances (sysctl)";
  return Status(Code::kResourceExhausted, std::move(text));
}

}  // namespace

Result<std::unique_ptr<WatchedFiles>> WatchedFiles::Open(const std::vector<std::string>& roots,
                                                         IgnoreFilter is_ignored) {
  const int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return CannotWatch("files");
  std::unique_ptr<WatchedFiles> files(new WatchedFiles(fd, std::move(is_ignored)));
  files->roots_ = roots;
  for (const std::string& root : roots) {
    std::error_code error;
    const Status added = fs::is_directory(root, error) ? files->AddFolder(root, nullptr) : files->AddFile(root);
    if (!added.ok()) return added;
  }
  return files;
}

WatchedFiles::~WatchedFiles() { close(fd_); }

Status WatchedFiles::Watch(const std::string& path, int* number) {
  *number = inotify_add_watch(fd_, path.c_str(), kOfFolders);
  if (*number >= 0) return Status::Ok();
  if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) {  // it has just gone, or is not ours to look at
    *number = -1;
    return Status::Ok();
  }
  return CannotWatch(path);
}

Status WatchedFiles::AddFile(const std::string& path) {
  const fs::path file(path);
  int number = -1;
  if (Status watched = Watch(file.parent_path().string(), &number); !watched.ok() || number < 0) return watched;
  Folder& folder = folders_[number];
  if (folder.path.empty()) {
    folder.path = file.parent_path().string();
    folder.whole = false;
  }
  folder.names.insert(file.filename().string());
  return Status::Ok();
}

Status WatchedFiles::AddFolder(const std::string& path, std::set<std::string>* found) {
  int number = -1;
  if (Status watched = Watch(path, &number); !watched.ok() || number < 0) return watched;
  folders_[number].path = path;
  folders_[number].whole = true;
  numbers_[path] = number;
  std::error_code error;
  for (fs::directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end; !error && at != end;
       at.increment(error)) {
    const std::string each = at->path().string();
    std::error_code unknown;
    const bool is_folder = at->is_directory(unknown) && !at->is_symlink(unknown);
    if (is_ignored_(each, is_folder)) continue;
    if (is_folder) {
      if (Status added = AddFolder(each, found); !added.ok()) return added;
    } else if (found) {
      found->insert(each);
    }
  }
  return Status::Ok();
}

void WatchedFiles::Forget(const std::string& path) {
  const std::string below = path + "/";
  for (auto at = numbers_.begin(); at != numbers_.end();) {
    if (at->first != path && !at->first.starts_with(below)) {
      ++at;
      continue;
    }
    inotify_rm_watch(fd_, at->second);
    folders_.erase(at->second);
    at = numbers_.erase(at);
  }
}

// After events were lost: folders that have come, and every file whose content is known.
void WatchedFiles::RescanAll(std::set<std::string>* changed) {
  for (const std::string& root : roots_) {
    std::error_code error;
    if (fs::is_directory(root, error)) (void)AddFolder(root, changed);
  }
}

void WatchedFiles::HandleEvent(int number, uint32_t what, const std::string& name, std::set<std::string>* changed) {
  if ((what & IN_Q_OVERFLOW) != 0) return RescanAll(changed);
  const auto found = folders_.find(number);
  if (found == folders_.end() || name.empty()) return;
  const Folder& folder = found->second;
  if (!folder.whole && folder.names.count(name) == 0) return;
  const std::string path = folder.path + "/" + name;
  const bool is_folder = (what & IN_ISDIR) != 0;
  if (!is_folder) {
    const bool only_begun = (what & IN_CREATE) != 0 && (what & ~uint32_t{IN_CREATE}) == 0;
    struct stat info {};
    // A file that is created is written next, unless it is a link.
    if (only_begun && lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1) return;
    changed->insert(path);
    return;
  }
  if (!folder.whole) return;
  if ((what & (IN_DELETE | IN_MOVED_FROM)) != 0) return Forget(path);
  if (!is_ignored_(path, true)) (void)AddFolder(path, changed);
}

bool WatchedFiles::HasChanged(const std::string& path) {
  const uint64_t content = ContentOf(path);
  const auto [known, is_new] = contents_.try_emplace(path, content);
  if (is_new) return true;
  return std::exchange(known->second, content) != content;
}

void WatchedFiles::MarkKnown(const std::string& path) { contents_[path] = ContentOf(path); }

std::vector<std::string> WatchedFiles::Take() {
  std::set<std::string> changed;
  alignas(inotify_event) char buffer[16 * (sizeof(inotify_event) + NAME_MAX + 1)];
  ssize_t size = 0;
  while ((size = read(fd_, buffer, sizeof buffer)) > 0) {
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
      HandleEvent(event->wd, event->mask, event->len > 0 ? std::string(event->name) : std::string(), &changed);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
  std::vector<std::string> files;
  for (const std::string& path : changed) {
    if (!is_ignored_(path, false) && HasChanged(path)) files.push_back(path);
  }
  return files;
}

}  // namespace kingpost
