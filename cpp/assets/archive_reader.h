// SPDX-License-Identifier: Apache-2.0
// Reads tar, gzipped tar and zip files from front to back, by libarchive. For worker threads.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

enum class ArchiveFormat { kNone, kTar, kGzippedTar, kZip };

struct ArchiveEntry {
  enum class Kind { kFile, kFolder, kSymlink, kOther };
  Kind kind = Kind::kOther;
  std::string name;    // as it stands in the archive: it may be absolute or lead upwards
  std::string target;  // of a symbolic link
  uint64_t size = 0;
  mode_t permissions = 0;
};

class ArchiveReader {
 public:
  // Reads the open file `fd` from its beginning, and leaves it open. `name` is for errors.
  static Result<std::unique_ptr<ArchiveReader>> Open(int fd, const std::string& name, ArchiveFormat format);
  virtual ~ArchiveReader() = default;

  // The next entry; false behind the last, after the checksum of the whole, if there is one, was found right.
  virtual Result<bool> Next(ArchiveEntry* entry) = 0;
  // The contents of the entry that Next gave last, in pieces.
  virtual Status Read(const std::function<Status(std::string_view bytes)>& sink) = 0;
  // How far into the file the reading is.
  virtual int64_t bytes_read() const = 0;
};

}  // namespace kingpost
