// SPDX-License-Identifier: Apache-2.0
// A folder of our own that is gone with its owner, however the process ends.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/status.h"

namespace kingpost {

class ProcessSupervisor;

class TemporaryFolder {
 public:
  static Result<TemporaryFolder> Make();  // private to the user, in $TMPDIR or /tmp
  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, "")), reaper_(std::move(other.reaper_)) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, std::shared_ptr<ProcessSupervisor> reaper)
      : path_(std::move(path)), reaper_(std::move(reaper)) {}

  std::string path_;
  std::shared_ptr<ProcessSupervisor> reaper_;  // removes it if we are killed
};

}  // namespace kingpost
