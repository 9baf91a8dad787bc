// SPDX-License-Identifier: Apache-2.0
// The folder for what can be made again at any time: programs and files that are kept because making them takes a
// while. Any thread.
#pragma once

#include <string>

namespace kingpost {

// $XDG_CACHE_HOME/kingpost or ~/.cache/kingpost, which need not be there; "" if the user has no home.
std::string CacheFolder();

// Files in the folder are run as code, so the folder must belong to this user, and no other user may write to it.
bool IsTrustedFolder(const std::string& folder);

}  // namespace kingpost
