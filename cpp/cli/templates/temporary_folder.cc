// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "processes/process_supervisor.h"

namespace kingpost {

Result<TemporaryFolder> TemporaryFolder::Make() {
  Result<std::shared_ptr<ProcessSupervisor>> reaper = ProcessSupervisor::Start();
  if (!reaper.ok()) return reaper.status();
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string path = ((error ? std::filesystem::path("/tmp") : parent) / "kingpost-new-XXXXXX").string();
  if (!mkdtemp(path.data())) {  // mode 0700
    return Status(Code::kUnknown, "cannot make a temporary folder " + path + ": " + std::strerror(errno));
  }
  (*reaper)->RemoveOnExit(path);
  return TemporaryFolder(path, std::move(*reaper));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace kingpost
