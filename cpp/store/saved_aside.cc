// SPDX-License-Identifier: Apache-2.0
#include "store/saved_aside.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/disk/durable_file.h"
#include "base/os.h"

namespace kingpost {

namespace {

Status WriteAndClose(int fd, const std::string& path, std::string_view bytes) {
  Status status;
  while (!bytes.empty() && status.ok()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
    if (written <= 0 && errno != EINTR) status = FileError(path, "write", written == 0 ? ENOSPC : errno);
  }
  if (status.ok() && fsync(fd) != 0) status = FileError(path, "sync", errno);
  if (close(fd) != 0 && status.ok()) status = FileError(path, "close", errno);
  if (!status.ok()) unlink(path.c_str());
  return status;
}

}  // namespace

std::vector<std::string> FallbackFolders(const std::string& path) {
  std::vector<std::string> folders;
  if (const size_t slash = path.rfind('/'); slash != std::string::npos) folders.push_back(path.substr(0, slash));
  const std::string home =
      GetEnvironment("PULUMI_HOME").empty() ? GetEnvironment("HOME") + "/.pulumi" : GetEnvironment("PULUMI_HOME");
  folders.push_back(home + "/unsaved");
  folders.push_back(TemporaryFilesFolder() + "/kingpost-XXXXXX");
  return folders;
}

Result<std::string> SaveAside(const std::vector<std::string>& folders, const std::string& name,
                              std::string_view bytes) {
  std::string file = name;
  std::replace(file.begin(), file.end(), '/', '-');
  Status failure(Code::kUnavailable, "there is no folder to save " + file + " in");
  for (std::string folder : folders) {
    if (folder.ends_with("XXXXXX")) {
      if (!mkdtemp(folder.data())) continue;  // mode 0700
    } else if (Status made = MakeFolders(folder); !made.ok()) {
      failure = made;
      continue;
    }
    std::string path = folder + "/" + file + "-XXXXXX";
    // Mode 0600; fails, rather than to follow a link, if the name is taken.
    const int fd = mkostemp(path.data(), O_CLOEXEC);
    failure = fd < 0 ? FileError(path, "create", errno) : WriteAndClose(fd, path, bytes);
    if (failure.ok()) return path;
  }
  return failure;
}

}  // namespace kingpost
