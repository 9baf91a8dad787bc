// SPDX-License-Identifier: Apache-2.0
// A command line as a text, split as a shell would, without expanding anything. Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// `cue export "my file.cue"` -> cue, export, my file.cue. Fails if there is no word, or a quote is not closed.
Result<std::vector<std::string>> SplitCommand(const std::string& text);

}  // namespace kingpost
