// SPDX-License-Identifier: Apache-2.0
#include "assets/archive_members.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/url_masking.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// Never part of a directory archive.
constexpr std::string_view kBookkeepingName = ".pulumi";

Status FileError(const std::string& what, const std::string& path) {
  return Status(Code::kUnknown, what + " '" + path + "': " + std::strerror(errno));
}

// A pipe would be waited for without end, and a device may have none.
Status NotAFile(const std::string& path, mode_t mode) {
  const char* kind = S_ISFIFO(mode)   ? "a pipe"
                     : S_ISSOCK(mode) ? "a socket"
                     : S_ISDIR(mode)  ? "a directory"
                                      : "a device";
  return Status(Code::kUnknown,
                "asset path '" + path + "' is " + kind + ", not a file: copy what you want from it into a file first");
}

Result<int> OpenToRead(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // files never block; pipes would
  if (fd < 0) return FileError("failed to open asset file", path);
  struct stat info;
  Status status = fstat(fd, &info) != 0    ? FileError("failed to open asset file", path)
                  : !S_ISREG(info.st_mode) ? NotAFile(path, info.st_mode)
                                           : Status::Ok();
  if (status.ok()) return fd;
  close(fd);
  return status;
}

std::string Resolve(const std::string& path, const std::string& working_directory) {
  return fs::path(path).is_absolute() ? path : (fs::path(working_directory) / path).lexically_normal().string();
}

Result<std::string> FileOfUri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) {
    return Status(Code::kUnimplemented,
                  "cannot fetch '" + MaskUrls(uri) + "': expected a file://, http:// or https:// URI");
  }
  const size_t slash = uri.find('/', kScheme.size());
  const std::string host = uri.substr(kScheme.size(), slash - kScheme.size());
  if (slash == std::string::npos || (!host.empty() && host != "localhost")) {
    return Status(Code::kInvalidArgument, "file:// host '" + host + "' not supported (only localhost)");
  }
  return uri.substr(slash);
}

Status Fetch(const std::string& uri, const ByteSink& sink) {
  HttpRequest request;
  request.url = uri;
  request.is_untrusted_url = true;
  request.on_body = [&sink](std::string_view bytes) {
    sink(bytes);
    return true;
  };
  auto response = SendHttp(request);
  // To a program, Unavailable would mean that the engine has gone.
  if (!response.ok()) return Status(Code::kUnknown, response.status().message());
  if (response->ok()) return Status::Ok();
  return Status(Code::kUnknown, std::to_string(response->status) + " HTTP error fetching " + MaskUrls(uri));
}

Result<std::string> ReadUri(const std::string& uri) {
  std::string bytes;
  Status status = StreamUri(uri, [&bytes](std::string_view part) { bytes.append(part); });
  if (!status.ok()) return status;
  return bytes;
}

ArchiveMember InMemory(const std::string& name, std::string bytes) {
  ArchiveMember member{name, bytes.size(), nullptr};
  member.read = [bytes = std::move(bytes)](const ByteSink& sink) {
    sink(bytes);
    return Status::Ok();
  };
  return member;
}

Result<ArchiveMember> OpenFile(const std::string& name, const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return FileError("failed to open asset file", path);
  if (S_ISDIR(info.st_mode)) {
    return Status(Code::kUnknown, "asset path '" + path + "' is a directory; try using an archive");
  }
  if (!S_ISREG(info.st_mode)) return NotAFile(path, info.st_mode);
  ArchiveMember member{name, static_cast<uint64_t>(info.st_size), nullptr};
  member.read = [path](const ByteSink& sink) { return StreamFile(path, sink); };
  return member;
}

// Depth first, names of one directory in byte order; links to directories are left out.
Status VisitDirectory(const fs::path& directory, const std::string& prefix, const MemberVisitor& visit) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    entries.push_back(*it);
  }
  if (error)
    return Status(Code::kUnknown, "couldn't read archive path '" + directory.string() + "': " + error.message());
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.path().filename().native() < b.path().filename().native(); });
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name == kBookkeepingName) continue;
    if (entry.is_directory(error)) {
      if (entry.is_symlink(error)) continue;
      Status status = VisitDirectory(entry.path(), prefix + name + "/", visit);
      if (!status.ok()) return status;
      continue;
    }
    auto member = OpenFile(prefix + name, entry.path().string());
    Status status = member.ok() ? visit(*member) : member.status();
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

// As the reference has it, a symbolic link in a zip file is a file that holds the link's target; in a tar file it is
// nothing.
bool IsMember(const ArchiveEntry& entry, ArchiveFormat format) {
  return entry.kind == ArchiveEntry::Kind::kFile ||
         (entry.kind == ArchiveEntry::Kind::kSymlink && format == ArchiveFormat::kZip);
}

ArchiveMember MemberOf(const ArchiveEntry& entry, ArchiveReader& reader) {
  const std::string name = fs::path(entry.name).lexically_normal().string();
  if (entry.kind == ArchiveEntry::Kind::kSymlink) return InMemory(name, entry.target);
  ArchiveMember member{name, entry.size, nullptr};
  member.read = [&reader](const ByteSink& sink) {
    return reader.Read([&sink](std::string_view bytes) {
      sink(bytes);
      return Status::Ok();
    });
  };
  return member;
}

Status VisitArchive(int fd, const std::string& name, ArchiveFormat format, const MemberVisitor& visit) {
  auto reader = ArchiveReader::Open(fd, "'" + name + "'", format);
  if (!reader.ok()) return reader.status();
  for (;;) {
    ArchiveEntry entry;
    Result<bool> more = (*reader)->Next(&entry);
    if (!more.ok()) return more.status();
    if (!*more) return Status::Ok();
    if (!IsMember(entry, format)) continue;
    Status status = visit(MemberOf(entry, **reader));
    if (!status.ok()) return status;
  }
}

Status VisitPath(const std::string& path, const MemberVisitor& visit) {
  const ArchiveFormat format = DetectArchiveFormat(path);
  struct stat info;
  if (format == ArchiveFormat::kNone) {
    if (stat(path.c_str(), &info) != 0) return FileError("couldn't read archive path", path);
    if (S_ISDIR(info.st_mode)) return VisitDirectory(path, "", visit);
    return Status(Code::kUnknown, "'" + path + "' is neither a recognized archive type nor a directory");
  }
  const Result<int> fd = OpenToRead(path);
  if (!fd.ok()) return fd.status();
  Status status = VisitArchive(*fd, path, format, visit);
  close(*fd);
  return status;
}

Status VisitUri(const std::string& uri, const MemberVisitor& visit) {
  const std::string name = MaskUrls(uri);
  const ArchiveFormat format = FormatOfUri(uri);
  if (format == ArchiveFormat::kNone) {
    return Status(Code::kUnknown, "file at URL '" + name + "' is not a recognized archive format");
  }
  const auto file = FetchUri(uri);
  return file.ok() ? VisitArchive(fileno(file->get()), name, format, visit) : file.status();
}

// The members of archives inside stand below the name of their archive.
Status VisitAssets(const PropertyMap& assets, const std::string& working_directory, const MemberVisitor& visit) {
  for (const auto& [name, value] : assets) {
    if (value.is_asset()) {
      auto member = OpenAsset(name, value.as_asset(), working_directory);
      if (!member.ok()) return member.status().Wrap("failed to expand archive asset '" + name + "'");
      Status status = visit(*member);
      if (!status.ok()) return status;
      continue;
    }
    const std::string& folder = name;
    Status status = VisitMembers(value.as_archive(), working_directory, [&](const ArchiveMember& member) {
      const std::string inside = fs::path(folder + "/" + member.name).lexically_normal().string();
      return visit({inside, member.size, member.read});
    });
    if (!status.ok()) return status.Wrap("failed to expand sub-archive '" + name + "'");
  }
  return Status::Ok();
}

}  // namespace

ArchiveFormat DetectArchiveFormat(std::string_view path) {
  if (path.ends_with(".tar")) return ArchiveFormat::kTar;
  if (path.ends_with(".tgz") || path.ends_with(".tar.gz")) return ArchiveFormat::kGzippedTar;
  if (path.ends_with(".zip") || path.ends_with(".jar")) return ArchiveFormat::kZip;
  return ArchiveFormat::kNone;
}

ArchiveFormat FormatOfUri(const std::string& uri) {
  return DetectArchiveFormat(uri.substr(0, uri.find_first_of("?#")));
}

Status StreamUri(const std::string& uri, const ByteSink& sink) {
  if (uri.starts_with("http://") || uri.starts_with("https://")) return Fetch(uri, sink);
  auto path = FileOfUri(uri);
  return path.ok() ? StreamFile(*path, sink) : path.status();
}

Result<std::unique_ptr<FILE, CloseFile>> FetchUri(const std::string& uri) {
  const std::string name = MaskUrls(uri);
  std::unique_ptr<FILE, CloseFile> file(std::tmpfile());
  if (!file) return FileError("cannot make a temporary file for", name);
  bool is_written = true;
  const Status status = StreamUri(uri, [&file, &is_written](std::string_view bytes) {
    is_written = is_written && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  });
  if (!status.ok()) return status;
  if (!is_written || std::fflush(file.get()) != 0) return FileError("cannot write a temporary file for", name);
  return file;
}

Status StreamFile(const std::string& path, const ByteSink& sink) {
  const Result<int> fd = OpenToRead(path);
  if (!fd.ok()) return fd.status();
  std::string buffer(1 << 16, '\0');
  ssize_t n;
  while ((n = read(*fd, buffer.data(), buffer.size())) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) sink({buffer.data(), static_cast<size_t>(n)});
  }
  Status status = n < 0 ? FileError("failed to read asset file", path) : Status::Ok();
  close(*fd);
  return status;
}

Result<ArchiveMember> OpenAsset(const std::string& name, const AssetData& asset, const std::string& working_directory) {
  if (asset.kind == AssetData::Kind::kPath) return OpenFile(name, Resolve(asset.text, working_directory));
  if (asset.kind == AssetData::Kind::kUri) {
    auto bytes = ReadUri(asset.text);
    if (!bytes.ok()) return bytes.status();
    return InMemory(name, std::move(*bytes));
  }
  if (!asset.has_contents) return Status(Code::kUnknown, "unrecognized asset type");
  return InMemory(name, asset.text);
}

Status VisitMembers(const ArchiveData& archive, const std::string& working_directory, const MemberVisitor& visit) {
  switch (archive.kind) {
    case ArchiveData::Kind::kAssets:
      if (!archive.has_contents) return Status(Code::kUnknown, "unrecognized archive type");
      return VisitAssets(archive.assets, working_directory, visit);
    case ArchiveData::Kind::kPath:
      return VisitPath(Resolve(archive.text, working_directory), visit);
    case ArchiveData::Kind::kUri:
      return VisitUri(archive.text, visit);
  }
  KP_ASSERT(false, "every kind of archive is listed above");
}

}  // namespace kingpost
