// SPDX-License-Identifier: Apache-2.0
#include "plugins/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "assets/archive_reader.h"
#include "base/encoding.h"
#include "base/os.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kFolderMode = 0700;

Status FileError(const std::string& what, const fs::path& path) {
  return Status(Code::kUnknown, what + " " + path.string() + ": " + std::strerror(errno));
}

// The path of an entry below the folder, without "." and "..", or empty if it leads out of it.
fs::path Inside(const std::string& name) {
  const fs::path path = fs::path(name).relative_path().lexically_normal();
  return !path.empty() && *path.begin() == ".." ? fs::path() : path;
}

class Unpacker {
 public:
  Unpacker(ArchiveReader& reader, const std::string& name, const std::string& folder,
           const std::function<bool(int64_t)>& on_progress, const UnpackLimits& limits)
      : reader_(reader), name_(name), folder_(folder), on_progress_(on_progress), limits_(limits) {}

  Status Run() {
    for (bool is_empty = true;; is_empty = false) {
      ArchiveEntry entry;
      Result<bool> more = reader_.Next(&entry);
      if (!more.ok()) return more.status();
      if (!*more) return is_empty ? Refused("there is nothing in it") : CheckLinks();
      if (++entries_ > limits_.entries) {
        return Refused("it holds more than " + std::to_string(limits_.entries) + " files and folders");
      }
      Status status = Extract(entry);
      if (!status.ok()) return status;
    }
  }

 private:
  Status Refused(const std::string& reason) const {
    return Status(Code::kInvalidArgument, "the archive " + name_ + " is refused: " + reason);
  }

  Status Extract(const ArchiveEntry& entry) {
    const fs::path inside = Inside(entry.name);
    if (inside.empty()) return Refused("its entry " + Quote(entry.name) + " lies outside of it");
    const bool is_folder = entry.kind == ArchiveEntry::Kind::kFolder;
    Status status = MakeFolders(is_folder ? inside : inside.parent_path());
    if (!status.ok() || is_folder) return status;
    if (entry.kind == ArchiveEntry::Kind::kFile) return ExtractFile(entry, folder_ / inside);
    if (entry.kind == ArchiveEntry::Kind::kSymlink) return ExtractLink(entry, inside);
    return Refused("its entry " + Quote(entry.name) + " is neither a file, a folder nor a symbolic link");
  }

  // Every part is made or is a folder already; a link on the way, even to a folder, is not followed.
  Status MakeFolders(const fs::path& inside) {
    fs::path at = folder_;
    for (const fs::path& part : inside) {
      if (part.empty() || part == ".") continue;
      at /= part;
      if (mkdir(at.c_str(), kFolderMode) == 0) continue;
      struct stat info;
      if (errno != EEXIST || lstat(at.c_str(), &info) != 0) return FileError("cannot make the folder", at);
      if (!S_ISDIR(info.st_mode)) {
        return Refused("it has entries below " + Quote(at.filename().string()) + ", which is not a folder");
      }
    }
    return Status::Ok();
  }

  Status ExtractFile(const ArchiveEntry& entry, const fs::path& path) {
    unlink(path.c_str());  // of two entries with one name the last counts
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, entry.permissions);
    if (fd < 0) return FileError("cannot write", path);
    Status status = reader_.Read([this, fd, &path](std::string_view bytes) {
      unpacked_ += static_cast<int64_t>(bytes.size());
      if (unpacked_ > limits_.bytes) {
        return Refused("it unpacks to more than " + std::to_string(limits_.bytes) + " bytes");
      }
      Status written = WriteAll(fd, bytes, path.string());
      if (!written.ok() || !on_progress_ || on_progress_(reader_.bytes_read())) return written;
      return Status(Code::kCancelled, "unpacking was cancelled");
    });
    if (close(fd) != 0 && status.ok()) status = FileError("cannot write", path);
    return status;
  }

  Status ExtractLink(const ArchiveEntry& entry, const fs::path& inside) {
    const fs::path target(entry.target);
    if (entry.target.empty() || target.is_absolute() || Inside((inside.parent_path() / target).string()).empty()) {
      return Refused("its link " + Quote(entry.name) + " points outside of it");
    }
    const fs::path path = folder_ / inside;
    unlink(path.c_str());
    if (symlink(entry.target.c_str(), path.c_str()) != 0) return FileError("cannot make the link", path);
    links_.push_back(inside);
    return Status::Ok();
  }

  // Once all is in place: what a link's text says depends on the links it goes through. The link itself is read here,
  // because one that leads to nothing counts as a name like any other to weakly_canonical.
  //   a/b/up -> ../..      is the folder itself
  //   out -> a/b/up/../x   reads like a/b/x, and lies beside the folder
  Status CheckLinks() const {
    std::error_code error;
    const fs::path root = fs::canonical(folder_, error);
    for (const fs::path& link : links_) {
      if (error) break;
      std::error_code ignored;
      if (!fs::is_symlink(folder_ / link, ignored)) continue;  // a later entry took its place
      const fs::path target = fs::read_symlink(folder_ / link, error);
      if (error) break;
      const fs::path resolved = fs::weakly_canonical((folder_ / link).parent_path() / target, error);
      const fs::path inside = resolved.lexically_relative(root);
      if (error || inside.empty() || *inside.begin() == "..") {
        return Refused("its link " + Quote(link.string()) + " points outside of it");
      }
    }
    if (error) return Status(Code::kUnknown, "cannot look at " + folder_.string() + ": " + error.message());
    return Status::Ok();
  }

  ArchiveReader& reader_;
  const std::string& name_;
  const fs::path folder_;
  std::vector<fs::path> links_;
  int64_t entries_ = 0, unpacked_ = 0;
  const std::function<bool(int64_t)>& on_progress_;
  const UnpackLimits& limits_;
};

}  // namespace

Status UnpackTarGz(int archive, const std::string& name, const std::string& folder,
                   const std::function<bool(int64_t bytes_read)>& on_progress, const UnpackLimits& limits) {
  auto reader = ArchiveReader::Open(archive, name, ArchiveFormat::kGzippedTar);
  if (!reader.ok()) return reader.status();
  return Unpacker(**reader, name, folder, on_progress, limits).Run();
}

}  // namespace kingpost
