#include "rpc/archive_members.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "net/http_client.h"
#include "store/compression.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// Never part of a directory archive.
constexpr std::string_view kBookkeepingName = ".pulumi";

Status FileError(const std::string& what, const std::string& path) {
  return Status(Code::kUnknown, what + " '" + path + "': " + std::strerror(errno));
}

std::string Resolve(const std::string& path, const std::string& working_directory) {
  return fs::path(path).is_absolute() ? path : (fs::path(working_directory) / path).lexically_normal().string();
}

Result<std::string> ReadWhole(const std::string& path) {
  std::string bytes;
  Status status = StreamFile(path, [&bytes](std::string_view part) { bytes.append(part); });
  if (!status.ok()) return status;
  return bytes;
}

Result<std::string> FileOfUri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) {
    return Status(Code::kUnimplemented,
                  "cannot fetch '" + PrintableUrl(uri) + "': expected a file://, http:// or https:// URI");
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
  request.on_body = [&sink](std::string_view bytes) {
    sink(bytes);
    return true;
  };
  auto response = SendHttp(request);
  // To a program, Unavailable would mean that the engine has gone.
  if (!response.ok()) return Status(Code::kUnknown, response.status().message());
  if (response->ok()) return Status::Ok();
  return Status(Code::kUnknown, std::to_string(response->status) + " HTTP error fetching " + PrintableUrl(uri));
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
  ArchiveMember member{name, static_cast<uint64_t>(info.st_size), nullptr};
  member.read = [path](const ByteSink& sink) { return StreamFile(path, sink); };
  return member;
}

// Depth first, names of one directory in byte order; links to directories are left out.
Status WalkDirectory(const fs::path& directory, const std::string& prefix, std::vector<ArchiveMember>* members) {
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
      Status status = WalkDirectory(entry.path(), prefix + name + "/", members);
      if (!status.ok()) return status;
      continue;
    }
    auto member = OpenFile(prefix + name, entry.path().string());
    if (!member.ok()) return member.status();
    members->push_back(std::move(*member));
  }
  return Status::Ok();
}

Result<std::vector<ArchiveMember>> ListBytes(std::string bytes, const std::string& name, ArchiveFormat format) {
  if (format == ArchiveFormat::kZip) return ListZipMembers(std::move(bytes), name);
  if (format == ArchiveFormat::kTar) return ListTarMembers(std::move(bytes), name);
  auto unpacked = Decompress(std::move(bytes), name);
  if (!unpacked.ok()) return unpacked.status();
  return ListTarMembers(std::move(*unpacked), name);
}

Result<std::vector<ArchiveMember>> ListPath(const std::string& path) {
  const ArchiveFormat format = DetectArchiveFormat(path);
  if (format != ArchiveFormat::kNone) {
    auto bytes = ReadWhole(path);
    if (!bytes.ok()) return bytes.status();
    return ListBytes(std::move(*bytes), path, format);
  }
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return FileError("couldn't read archive path", path);
  if (!S_ISDIR(info.st_mode)) {
    return Status(Code::kUnknown, "'" + path + "' is neither a recognized archive type nor a directory");
  }
  std::vector<ArchiveMember> members;
  Status status = WalkDirectory(path, "", &members);
  if (!status.ok()) return status;
  return members;
}

// The members of archives inside stand below the name of their archive.
Result<std::vector<ArchiveMember>> ListAssets(const PropertyMap& assets, const std::string& working_directory) {
  std::vector<ArchiveMember> members;
  for (const auto& [name, value] : assets) {
    if (value.is_asset()) {
      auto member = OpenAsset(name, value.as_asset(), working_directory);
      if (!member.ok()) return member.status().Wrap("failed to expand archive asset '" + name + "'");
      members.push_back(std::move(*member));
      continue;
    }
    auto inner = ListMembers(value.as_archive(), working_directory);
    if (!inner.ok()) return inner.status().Wrap("failed to expand sub-archive '" + name + "'");
    for (ArchiveMember& member : *inner) {
      member.name = fs::path(name + "/" + member.name).lexically_normal().string();
      members.push_back(std::move(member));
    }
  }
  return members;
}

}  // namespace

ArchiveFormat DetectArchiveFormat(std::string_view path) {
  if (path.ends_with(".tar")) return ArchiveFormat::kTar;
  if (path.ends_with(".tgz") || path.ends_with(".tar.gz")) return ArchiveFormat::kGzippedTar;
  if (path.ends_with(".zip") || path.ends_with(".jar")) return ArchiveFormat::kZip;
  return ArchiveFormat::kNone;
}

ArchiveFormat FormatOfUri(const std::string& uri) { return DetectArchiveFormat(PrintableUrl(uri)); }

Status StreamUri(const std::string& uri, const ByteSink& sink) {
  if (uri.starts_with("http://") || uri.starts_with("https://")) return Fetch(uri, sink);
  auto path = FileOfUri(uri);
  return path.ok() ? StreamFile(*path, sink) : path.status();
}

Status StreamFile(const std::string& path, const ByteSink& sink) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileError("failed to open asset file", path);
  std::string buffer(1 << 16, '\0');
  ssize_t n;
  while ((n = read(fd, buffer.data(), buffer.size())) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) sink({buffer.data(), static_cast<size_t>(n)});
  }
  Status status = n < 0 ? FileError("failed to read asset file", path) : Status::Ok();
  close(fd);
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

Result<std::vector<ArchiveMember>> ListMembers(const ArchiveData& archive, const std::string& working_directory) {
  switch (archive.kind) {
    case ArchiveData::Kind::kAssets:
      if (!archive.has_contents) return Status(Code::kUnknown, "unrecognized archive type");
      return ListAssets(archive.assets, working_directory);
    case ArchiveData::Kind::kPath:
      return ListPath(Resolve(archive.text, working_directory));
    case ArchiveData::Kind::kUri: {
      const ArchiveFormat format = FormatOfUri(archive.text);
      if (format == ArchiveFormat::kNone) {
        return Status(Code::kUnknown,
                      "file at URL '" + PrintableUrl(archive.text) + "' is not a recognized archive format");
      }
      auto bytes = ReadUri(archive.text);
      if (!bytes.ok()) return bytes.status();
      return ListBytes(std::move(*bytes), PrintableUrl(archive.text), format);
    }
  }
  KP_ASSERT(false, "every kind of archive is listed above");
}

}  // namespace kingpost
