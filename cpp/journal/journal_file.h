// SPDX-License-Identifier: Apache-2.0
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
  // Gives it the name it was made for. Until then it has another, so that a journal is never seen without its header.
  virtual Status Publish() { return Status::Ok(); }
  // kAborted if the name it was made under is now another file's, or nobody's. Any thread.
  virtual Status StillInPlace() { return Status::Ok(); }
  // Its first bytes, also when its name is gone.
  virtual Result<std::string> ReadBack(uint64_t) { return Status(Code::kUnimplemented, "nothing was kept"); }
};

// Mode 0600; folders are made. Fails if the file exists. To be published.
Result<std::unique_ptr<JournalFile>> CreateJournalFile(const std::string& path);

// Keeps nothing: for stores that are not on a disk.
std::unique_ptr<JournalFile> NewNullJournalFile();

Status RemoveJournalFile(const std::string& path);  // durably; fine if absent

}  // namespace kingpost
