// SPDX-License-Identifier: Apache-2.0
#include "runtimes/accelerators.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/cache_folder.h"
#include "base/os.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

bool Holds(const fs::path& file, const std::string& text) {
  const Result<std::string> content = ReadWholeFile(file.string());
  return content.ok() && *content == text;
}

bool HoldsAll(const fs::path& folder) {
  if (!IsTrustedFolder(folder)) return false;
  for (const AcceleratorFile& file : AcceleratorFiles()) {
    if (!Holds(folder / file.path, file.text)) return false;
  }
  return true;
}

bool WriteAll(const fs::path& folder) {
  std::error_code error;
  for (const AcceleratorFile& file : AcceleratorFiles()) {
    fs::create_directories((folder / file.path).parent_path(), error);
    std::ofstream out(folder / file.path, std::ios::binary);
    out << file.text;
    if (!out.flush()) return false;
  }
  return true;
}

// Under another name first, so that a second command, or one that was killed here, never shows half of it.
bool UnpackInto(const fs::path& folder, ProcessSupervisor* guardian) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (!IsTrustedFolder(folder.parent_path())) return false;
  std::string fresh = folder.string() + ".XXXXXX";
  if (!mkdtemp(fresh.data())) return false;
  if (guardian) guardian->RemoveOnExit(fresh);
  if (!WriteAll(fresh)) {
    fs::remove_all(fresh, error);
    return false;
  }
  if (fs::exists(folder, error) && !HoldsAll(folder)) fs::remove_all(folder, error);
  fs::rename(fresh, folder, error);
  if (error) fs::remove_all(fresh, error);  // another command was quicker
  return HoldsAll(folder);
}

// "" if the user has no cache.
std::string FolderInCache() {
  const std::string cache = CacheFolder();
  return cache.empty() ? "" : cache + "/accelerators-" + std::string(kAcceleratorsHash, 16);
}

}  // namespace

bool WantsAccelerators() {
  const std::string wish = GetEnvironment("KINGPOST_ACCELERATE");
  return wish != "0" && wish != "false";
}

std::string AcceleratorsInCache() {
  const std::string folder = FolderInCache();
  return !folder.empty() && IsTrustedFolder(CacheFolder()) && HoldsAll(folder) ? folder : "";
}

Accelerators UnpackAccelerators(ProcessSupervisor* guardian) {
  Accelerators unpacked;
  unpacked.folder = AcceleratorsInCache();
  if (!unpacked.folder.empty()) return unpacked;
  const std::string folder = FolderInCache();
  if (!folder.empty() && UnpackInto(folder, guardian)) {
    unpacked.folder = folder;
    return unpacked;
  }
  auto own = PrivateFolder::Create(guardian);
  if (!own.ok() || !WriteAll(own->Path(""))) return unpacked;
  unpacked.folder = own->Path("");
  unpacked.folder.pop_back();  // the slash
  unpacked.own_folder = std::make_shared<PrivateFolder>(std::move(*own));
  return unpacked;
}

}  // namespace kingpost
