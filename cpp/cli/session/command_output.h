// SPDX-License-Identifier: Apache-2.0
// What a short command prints, for those who ask programs such as git about themselves. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kingpost {

// What posix_spawn and exec take: the texts, which have to live on, and a null.
std::vector<char*> PointersTo(const std::vector<std::string>& texts);

// Standard output of the command, run in `folder` without standard input, with standard error thrown away, and without
// our passphrase in its environment; nothing if it could not be started or did not end with 0.
std::optional<std::string> OutputOf(const std::vector<std::string>& argv, const std::string& folder);

}  // namespace kingpost
