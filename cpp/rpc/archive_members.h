// The files inside an archive, whatever it is made of: named assets, a directory, a tar, gzipped tar or zip file.
// Reads files, and asks the network for URIs; for worker threads.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace kingpost {

using ByteSink = std::function<void(std::string_view bytes)>;

// One file inside an archive: its name with slashes, its size, and how to read it (once).
struct ArchiveMember {
  std::string name;
  uint64_t size = 0;
  std::function<Status(const ByteSink& sink)> read;
};

enum class ArchiveFormat { kNone, kTar, kGzippedTar, kZip };
ArchiveFormat DetectArchiveFormat(std::string_view path);  // by its extension

// What a URI names: a file of this machine, or something to be fetched by http:// or https://. Errors name it.
Status StreamUri(const std::string& uri, const ByteSink& sink);
// By the extension of its path.
ArchiveFormat FormatOfUri(const std::string& uri);

// Relative paths stand in `working_directory`.
Result<ArchiveMember> OpenAsset(const std::string& name, const AssetData& asset, const std::string& working_directory);
Result<std::vector<ArchiveMember>> ListMembers(const ArchiveData& archive, const std::string& working_directory);
Status StreamFile(const std::string& path, const ByteSink& sink);

// Members of a tar or zip file that is in memory.
Result<std::vector<ArchiveMember>> ListTarMembers(std::string bytes, const std::string& name);
Result<std::vector<ArchiveMember>> ListZipMembers(std::string bytes, const std::string& name);

}  // namespace kingpost
