// SPDX-License-Identifier: Apache-2.0
// The process that stands for a plugin whose language is known to a plugin of its own only: plugins/plugin_bridge.h.
#pragma once

#include <string>
#include <vector>

namespace kingpost {

// The exit code of the bridge, from the words behind kBridgeCommand. Main thread of a process without others.
int RunBridge(const std::vector<std::string>& words);

}  // namespace kingpost
