// SPDX-License-Identifier: Apache-2.0
// A text as the words that a shell would make of it: blanks separate, quotes and backslashes keep together. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

Result<std::vector<std::string>> SplitShellWords(const std::string& text);

}  // namespace kingpost
