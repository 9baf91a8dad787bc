// What a short command prints, for those who ask programs such as git about themselves. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kingpost {

// Standard output of the command, run in `folder` without standard input and with standard error thrown away; nothing
// if it could not be started or did not end with 0.
std::optional<std::string> OutputOf(const std::vector<std::string>& argv, const std::string& folder);

}  // namespace kingpost
