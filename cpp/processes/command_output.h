// SPDX-License-Identifier: Apache-2.0
// Runs a short command and returns its output, for questions to programs such as git. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kingpost {

// The arguments of posix_spawn and exec: the texts, which have to live on, and a null.
std::vector<char*> PointersTo(const std::vector<std::string>& texts);

// Returns the standard output of the command, run in `folder` without standard input and without our passphrase in its
// environment. Standard error is dropped. Nothing if it could not be started or did not end with 0.
std::optional<std::string> OutputOf(const std::vector<std::string>& argv, const std::string& folder);

// Splits the output of `git ... -z`, in which a zero byte ends each text.
std::vector<std::string> SplitAtZeros(const std::string& output);

}  // namespace kingpost
