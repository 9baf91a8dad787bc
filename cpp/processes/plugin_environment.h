// SPDX-License-Identifier: Apache-2.0
// The environment that a child process inherits. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kingpost {

// Our environment with `additions` over it, as "NAME=value". Without the passphrase of the stack's secrets: a plugin
// that needs one has no business with ours.
std::vector<std::string> PluginEnvironment(const std::map<std::string, std::string>& additions);

}  // namespace kingpost
