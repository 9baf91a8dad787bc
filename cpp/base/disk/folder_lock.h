// SPDX-License-Identifier: Apache-2.0
// A turn in a folder: one process at a time, by flock() on the folder itself. That leaves no file behind, and the
// kernel ends it with the process. On file systems without flock() everyone gets a turn at once.
#pragma once

#include <chrono>
#include <string>

namespace kingpost {

class FolderLock {
 public:
  static constexpr std::chrono::milliseconds kForever{-1};

  // Waits for the others, at most `patience`. After that the caller goes on without a turn.
  explicit FolderLock(const std::string& folder, std::chrono::milliseconds patience = kForever);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;

 private:
  const int fd_;
};

}  // namespace kingpost
