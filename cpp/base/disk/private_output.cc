// SPDX-License-Identifier: Apache-2.0
#include "base/disk/private_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>

namespace kingpost {

namespace {

// "" if all is well.
std::string MakePrivate(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return std::strerror(errno);
  if (!S_ISREG(info.st_mode)) return "";
  if (info.st_uid != geteuid()) return "it belongs to another user, who could read it: remove it, or name another file";
  if ((info.st_mode & 077) != 0 && fchmod(fd, 0600) != 0) return std::strerror(errno);
  return ftruncate(fd, 0) == 0 ? "" : std::strerror(errno);
}

}  // namespace

std::string OpenErrorText(const std::string& file) {
  std::string reason = std::strerror(errno);
  if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return "open " + file + ": " + reason;
}

Result<int> OpenPrivateOutput(const std::string& file, int flags) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (fd < 0) {
    if (errno == ENXIO) return Status(Code::kUnavailable, "open " + file + ": this pipe has no reader");
    return Status(Code::kUnavailable, OpenErrorText(file));
  }
  const std::string problem = MakePrivate(fd);
  if (problem.empty()) return fd;
  close(fd);
  return Status(Code::kPermissionDenied, "could not write file " + file + ": " + problem);
}

}  // namespace kingpost
