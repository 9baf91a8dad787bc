// SPDX-License-Identifier: Apache-2.0
#include "runtimes/node_compile_cache.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/cache_folder.h"
#include "base/os.h"
#include "runtimes/accelerators.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "node-code-";

void RemoveOthers(const fs::path& cache, const std::string& kept) {
  std::error_code error;
  for (fs::directory_iterator at(cache, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    std::error_code ignored;
    if (name.starts_with(kPrefix) && name != kept) fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

std::string CompiledCodeFolder(const std::string& cache, std::time_t now) {
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char month[sizeof "2026-11"];
  std::strftime(month, sizeof month, "%Y-%m", &utc);
  const std::string name = std::string(kPrefix) + month;
  const std::string folder = cache + "/" + name;
  std::error_code error;
  fs::create_directories(cache, error);
  if (!IsTrustedFolder(cache)) return "";
  if (IsTrustedFolder(folder)) return folder;
  if (::mkdir(folder.c_str(), S_IRWXU) != 0)
    return IsTrustedFolder(folder) ? folder : "";  // another command was quicker
  RemoveOthers(cache, name);
  return folder;
}

void ShareCompiledCode(std::map<std::string, std::string>* environment) {
  if (!WantsAccelerators()) return;
  for (const char* name : {"NODE_COMPILE_CACHE", "NODE_DISABLE_COMPILE_CACHE", "NODE_V8_COVERAGE"}) {
    if (environment->contains(name) || FindEnvironment(name)) return;
  }
  const std::string cache = CacheFolder();
  const std::string folder = cache.empty() ? "" : CompiledCodeFolder(cache, std::time(nullptr));
  if (!folder.empty()) environment->emplace("NODE_COMPILE_CACHE", folder);
}

}  // namespace kingpost
