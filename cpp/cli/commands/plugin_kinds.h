// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// The kinds of plugins, as people write them: "resource", "language" and so on.
inline const std::vector<std::string> kPluginKinds = {"analyzer", "language", "resource", "converter", "tool"};

// OK for one of them; else what to tell who typed another.
Status CheckPluginKind(const std::string& kind);

}  // namespace kingpost
