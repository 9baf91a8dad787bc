// SPDX-License-Identifier: Apache-2.0
// Commands that people know from Pulumi and that cannot work here: why, and what to do instead.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kingpost {

// Why the command that begins with these words does not exist, as one sentence; "" if it was never one. The first
// `understood` words are a command or a group that does.
std::string WhyUnavailable(const std::vector<std::string>& words, size_t understood);

}  // namespace kingpost
