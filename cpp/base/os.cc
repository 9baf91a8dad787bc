// SPDX-License-Identifier: Apache-2.0
#include "base/os.h"

#include <fcntl.h>
#include <pwd.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/large_text.h"

namespace kingpost {

namespace {

Code CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return Code::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return Code::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Code::kResourceExhausted;
    case EEXIST:
      return Code::kAlreadyExists;
    default:
      return Code::kUnavailable;
  }
}

// Until the end of the file: those of /proc tell no size.
Status ReadToEnd(int file, const std::string& path, std::string* bytes) {
  size_t size = 0;
  for (;;) {
    if (size == bytes->size()) bytes->resize(bytes->size() + 4096);
    const ssize_t got = read(file, bytes->data() + size, bytes->size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FileError(path, "read", errno);
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  bytes->resize(size);
  return Status::Ok();
}

}  // namespace

std::string GetEnvironment(const char* name) { return FindEnvironment(name).value_or(""); }

std::optional<std::string> FindEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

bool IsTruthy(const std::string& text) { return text == "1" || strcasecmp(text.c_str(), "true") == 0; }

bool IsTrueVariable(const char* name, const char* former) {
  std::optional<std::string> value = FindEnvironment(name);
  if (!value && former) value = FindEnvironment(former);
  return value && IsTruthy(*value);
}

std::string TemporaryFilesFolder() {
  const std::string folder = GetEnvironment("TMPDIR");
  return folder.empty() ? "/tmp" : folder;
}

std::string UserHome() {
  const std::string home = GetEnvironment("HOME");
  if (!home.empty()) return home;
  const passwd* entry = getpwuid(getuid());
  return entry ? entry->pw_dir : "";
}

std::string PulumiHome() {
  const std::string home = GetEnvironment("PULUMI_HOME");
  return home.empty() ? UserHome() + "/.pulumi" : std::filesystem::absolute(home).lexically_normal().string();
}

std::string OwnExecutable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::string CurrentFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  return error ? "." : folder.string();
}

std::string HostName() {
  char host[HOST_NAME_MAX + 1] = {};
  gethostname(host, sizeof host - 1);
  return host;
}

std::string UserName() {
  if (const passwd* entry = getpwuid(getuid())) return entry->pw_name;
  const std::string name = GetEnvironment("USER");
  return name.empty() ? std::to_string(getuid()) : name;
}

Status FileError(const std::string& path, const std::string& action, int error) {
  return {CodeOf(error), path + ": cannot " + action + ": " + std::strerror(error)};
}

Result<std::string> ReadWholeFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return FileError(path, "open", errno);
  struct stat status;
  std::string bytes;
  Status read;
  if (fstat(file, &status) != 0) {
    read = FileError(path, "read", errno);
  } else if (S_ISDIR(status.st_mode)) {
    read = FileError(path, "read", EISDIR);
  } else {
    // One byte more shows the end without growing, which would copy all of a large file.
    ReserveText(static_cast<size_t>(status.st_size) + 1, &bytes);
    bytes.resize(static_cast<size_t>(status.st_size) + 1);
    read = ReadToEnd(file, path, &bytes);
  }
  close(file);
  if (!read.ok()) return read;
  return bytes;
}

Status WriteAll(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return FileError(path, "write", written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status::Ok();
}

}  // namespace kingpost
