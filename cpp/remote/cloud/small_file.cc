// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/small_file.h"

#include "base/os.h"
#include "base/trim.h"

namespace kingpost {

Result<std::string> ReadSmallFile(const std::string& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text;
  return Trimmed(*text);
}

}  // namespace kingpost
