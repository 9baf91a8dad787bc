// SPDX-License-Identifier: Apache-2.0
#include "processes/private_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/encoding.h"
#include "base/os.h"
#include "base/random_bytes.h"

namespace kingpost {

namespace {

// The address of a socket holds little more than a hundred bytes, so a long TMPDIR will not do.
constexpr size_t kFolderBytesMax = 60;

std::string ParentFolder() {
  const std::string given = TemporaryFilesFolder();
  return given.size() < kFolderBytesMax ? given : "/tmp";
}

}  // namespace

Result<PrivateFolder> PrivateFolder::Create(ProcessSupervisor* guardian) {
  // Nobody can guess the name, so it may be told to the guardian before there is a folder: else a kill between the two
  // would leave it behind.
  std::string name = ParentFolder() + "/kingpost-" + HexEncode(RandomBytes(12));
  if (guardian) guardian->RemoveOnExit(name);
  if (mkdir(name.c_str(), 0700) != 0) {
    return Status(Code::kUnknown, "cannot make a temporary folder at " + name + ": " + std::strerror(errno));
  }
  return PrivateFolder(std::move(name));
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace kingpost
