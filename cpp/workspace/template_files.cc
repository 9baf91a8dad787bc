// SPDX-License-Identifier: Apache-2.0
// Templates on the disk: see template.h.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/disk/durable_file.h"
#include "workspace/template.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kGit[] = ".git";
constexpr char kFormerManifest[] = ".pulumi.template.yaml";  // of old templates, for the tool alone

// A link may stand for another file of the template. What it leads to elsewhere is the user's own (a key, a password),
// and would be published with the project.
Status CheckLink(const fs::path& link, const fs::path& root) {
  std::error_code error;
  const fs::path target = fs::canonical(link, error);
  const fs::path inside = target.lexically_relative(root);
  if (!error && !inside.empty() && *inside.begin() != "..") return Status::Ok();
  return Status(Code::kInvalidArgument, "the template is refused: its link " + link.filename().string() +
                                            " leads out of it, and a project gets only what its template holds");
}

bool IsExecutable(const fs::path& path) {
  std::error_code error;
  return (fs::status(path, error).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

Status WriteOne(const TemplateFile& file, const std::string& path, bool force) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return Status(Code::kUnknown, path + ": cannot make its folder: " + error.message());
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL);
  const int fd = open(path.c_str(), flags, file.executable ? 0755 : 0644);
  if (fd < 0) return FileError(path, "write", errno);
  int failed = 0;
  for (size_t done = 0; done < file.content.size() && failed == 0;) {
    const ssize_t count = write(fd, file.content.data() + done, file.content.size() - done);
    if (count >= 0) done += static_cast<size_t>(count);
    if (count < 0 && errno != EINTR) failed = errno;
  }
  if (close(fd) != 0 && failed == 0) failed = errno;
  return failed == 0 ? Status::Ok() : FileError(path, "write", failed);
}

}  // namespace

Status CheckTemplateSize(uint64_t size) {
  if (size <= kTemplateSizeMax) return Status::Ok();
  return Status(Code::kResourceExhausted, "the template is refused: its files hold more than 256 MiB");
}

Result<TemplateFiles> LoadTemplateFiles(const std::string& folder) {
  TemplateFiles files;
  uint64_t size = 0;
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name == kGit) {
      at.disable_recursion_pending();
      continue;
    }
    if (at->is_symlink(error)) {
      if (const Status inside = CheckLink(at->path(), root); !inside.ok()) return inside;
    }
    if (name == kFormerManifest || !at->is_regular_file(error)) continue;
    size += at->file_size(error);
    if (const Status fits = CheckTemplateSize(size); !fits.ok()) return fits;
    Result<std::string> content = ReadWholeFile(at->path().string());
    if (!content.ok()) return content.status();
    files.push_back({at->path().lexically_relative(folder).string(), std::move(*content), IsExecutable(at->path())});
  }
  if (error) return Status(Code::kUnknown, folder + ": cannot read it: " + error.message());
  return files;
}

std::vector<std::string> FindExistingFiles(const TemplateFiles& files, const std::string& folder) {
  std::vector<std::string> in_the_way;
  for (const TemplateFile& file : files) {
    struct stat info;
    if (lstat((folder + "/" + file.path).c_str(), &info) == 0) in_the_way.push_back(file.path);
  }
  return in_the_way;
}

Status WriteTemplateFiles(const TemplateFiles& files, const std::string& folder, bool force) {
  for (const TemplateFile& file : files) {
    if (const Status written = WriteOne(file, folder + "/" + file.path, force); !written.ok()) return written;
  }
  return Status::Ok();
}

}  // namespace kingpost
