// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kingpost {

// What a plugin may be, as people write it: "resource", "language" and so on.
inline const std::vector<std::string> kPluginKinds = {"analyzer", "language", "resource", "converter", "tool"};

}  // namespace kingpost
