// SPDX-License-Identifier: Apache-2.0
// Files that hold a token, a key, or settings. Any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost {

// Without blanks and line ends around. NotFound if it is not there.
Result<std::string> ReadSmallFile(const std::string& path);

}  // namespace kingpost
