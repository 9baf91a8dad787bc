// SPDX-License-Identifier: Apache-2.0
// From the process's arguments to its exit status.
#pragma once

#include <string>
#include <vector>

namespace kingpost {

// args without the program's name.
int RunCommandLine(const std::vector<std::string>& args);

}  // namespace kingpost
