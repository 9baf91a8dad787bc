// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kingpost {

// A text that changes when the file at that path is written or replaced, or goes. Touches the disk.
std::string FileStamp(const std::string& path);

}  // namespace kingpost
