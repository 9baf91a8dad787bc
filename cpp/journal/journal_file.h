// The little a journal asks of a file. The real one is POSIX; tests put a faulty one in its place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

class JournalFile {
 public:
  virtual ~JournalFile() = default;
  virtual Status Write(uint64_t offset, std::string_view bytes) = 0;  // all of them, or an error
  virtual Status Sync() = 0;                                          // data and size are on the disk
  virtual Status Reserve(uint64_t size) = 0;  // the file has space up to `size`, reading as zeros
};

// Mode 0600; the directory entry is synced too. Fails if the file exists.
Result<std::unique_ptr<JournalFile>> CreateJournalFile(const std::string& path);
// An existing one, cut to `size`.
Result<std::unique_ptr<JournalFile>> OpenJournalFile(const std::string& path, uint64_t size);

// Keeps nothing: for stores that are not on a disk.
std::unique_ptr<JournalFile> NewNullJournalFile();

Status RemoveJournalFile(const std::string& path);  // durably; fine if absent

}  // namespace kingpost
