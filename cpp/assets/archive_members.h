// SPDX-License-Identifier: Apache-2.0
// The files inside an archive, whatever it is made of: named assets, a directory, a tar, gzipped tar or zip file.
// One file is read at a time, so memory does not grow with the archive. Reads files, and asks the network for URIs; for
// worker threads.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "assets/archive_reader.h"
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

ArchiveFormat DetectArchiveFormat(std::string_view path);  // by its extension

// The target of a URI: a file of this machine, or an http:// or https:// address to fetch. Errors name it.
Status StreamUri(const std::string& uri, const ByteSink& sink);
// By the extension of its path.
ArchiveFormat FormatOfUri(const std::string& uri);
// The same as an open file without a name, for what is read more than once: the directory of a zip file stands at its
// end.
struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
Result<std::unique_ptr<FILE, CloseFile>> FetchUri(const std::string& uri);

// Relative paths stand in `working_directory`.
Result<ArchiveMember> OpenAsset(const std::string& name, const AssetData& asset, const std::string& working_directory);
Status StreamFile(const std::string& path, const ByteSink& sink);

// Calls `visit` for each file of the archive in turn, until one call fails. A member can be read during its visit only.
using MemberVisitor = std::function<Status(const ArchiveMember& member)>;
Status VisitMembers(const ArchiveData& archive, const std::string& working_directory, const MemberVisitor& visit);

}  // namespace kingpost
