// SPDX-License-Identifier: Apache-2.0
#include "base/file_stamp.h"

#include <sys/stat.h>

namespace kingpost {

std::string FileStamp(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return path + " gone\n";
  return path + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_ino) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec) + "\n";
}

}  // namespace kingpost
