// SPDX-License-Identifier: Apache-2.0
#include "base/cache_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"

namespace kingpost {

std::string CacheFolder() {
  const std::string cache = GetEnvironment("XDG_CACHE_HOME");
  if (!cache.empty() && cache[0] == '/') return cache + "/kingpost";
  const std::string home = GetEnvironment("HOME");
  return home.empty() ? "" : home + "/.cache/kingpost";
}

bool IsTrustedFolder(const std::string& folder) {
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0) return false;
  return S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace kingpost
