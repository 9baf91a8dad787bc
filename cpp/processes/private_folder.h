// SPDX-License-Identifier: Apache-2.0
// A temporary folder that only this user can enter, for sockets and built programs; removed with everything in it at
// the end, by the reaper if this process is killed.
#pragma once

#include <string>

#include "base/status.h"
#include "processes/process_supervisor.h"

namespace kingpost {

class PrivateFolder {
 public:
  // With a guardian a kill does not leave it behind.
  static Result<PrivateFolder> Create(ProcessSupervisor* guardian = nullptr);
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  ~PrivateFolder();

  std::string Path(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace kingpost
