// SPDX-License-Identifier: Apache-2.0
// Files that the user names and only the user should read: plans, exports in clear, event logs.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost {

// Opens `file` for writing from its beginning. A new one gets mode 0600; one that was there is emptied and gets it too,
// and is refused if it is another user's. Pipes and devices stay as they are. `flags` go to open().
Result<int> OpenPrivateOutput(const std::string& file, int flags = 0);

// "open FILE: no such file or directory", as programs look for it; errno says what was wrong.
std::string OpenErrorText(const std::string& file);

}  // namespace kingpost
