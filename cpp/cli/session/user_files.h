// SPDX-License-Identifier: Apache-2.0
// Files that the user names on the command line, and standard input. Blocking.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

// No input of ours is longer. What is, may have no end: it is refused before it takes all memory.
constexpr size_t kInputBytesMax = size_t{4} << 30;
// All bytes.
Result<std::string> ReadStandardInput();
// A text; "-" and "" mean standard input. What holds a zero byte is refused.
Result<std::string> ReadInput(const std::string& file, size_t size_max = kInputBytesMax);
Status WriteOutput(const std::string& file, const std::string& text);
// For what others should not read; see base/disk/private_output.h.
Status WritePrivateOutput(const std::string& file, const std::string& text);
// The same in parts: `fill` is given what writes one.
using WritePart = std::function<void(std::string_view)>;
Status WritePrivateOutput(const std::string& file, const std::function<void(const WritePart&)>& fill);

}  // namespace kingpost
