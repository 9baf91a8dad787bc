#include "rpc/private_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace kingpost {

namespace {

// The address of a socket holds little more than a hundred bytes, so a long TMPDIR will not do.
constexpr size_t kFolderBytesMax = 60;

std::string ParentFolder() {
  const char* given = std::getenv("TMPDIR");
  return given && *given && std::strlen(given) < kFolderBytesMax ? given : "/tmp";
}

}  // namespace

Result<PrivateFolder> PrivateFolder::Create(ProcessSupervisor* guardian) {
  std::string name = ParentFolder() + "/kingpost-XXXXXX";
  // mkdtemp makes it with mode 0700.
  if (!mkdtemp(name.data())) {
    return Status(Code::kUnknown, "cannot make a temporary folder at " + name + ": " + std::strerror(errno));
  }
  if (guardian) guardian->RemoveAtDeath(name);
  return PrivateFolder(std::move(name));
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace kingpost
