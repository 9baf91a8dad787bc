// SPDX-License-Identifier: Apache-2.0
// Texts that several commands put together in the same way. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace kingpost {

// For a shell: in single quotes, with those in the text escaped.
std::string ShellQuoted(const std::string& text);

// "3 minutes ago"
std::string AgoText(int64_t unix_ms);

}  // namespace kingpost
