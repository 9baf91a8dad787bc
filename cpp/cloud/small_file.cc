// SPDX-License-Identifier: Apache-2.0
#include "cloud/small_file.h"

#include "base/os.h"

namespace kingpost {

Result<std::string> ReadSmallFile(const std::string& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text;
  const size_t begin = text.value().find_first_not_of(" \t\r\n"), end = text.value().find_last_not_of(" \t\r\n");
  return begin == std::string::npos ? std::string() : text.value().substr(begin, end + 1 - begin);
}

}  // namespace kingpost
