// SPDX-License-Identifier: Apache-2.0
// Files for what cannot be put where it belongs: made new, for this user alone, under names nobody can have taken or
// guessed. Blocking; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace kingpost {

// Writes to a new file "NAME-xxxxxx" in the first of the folders that takes it, and answers its path. Folders that are
// missing are made. `name` is made harmless: it becomes part of one file name.
Result<std::string> SaveAside(const std::vector<std::string>& folders, const std::string& name, std::string_view bytes);

// Where to try: beside `path`, then in the tool's home folder, then in a new folder for temporary files.
std::vector<std::string> FallbackFolders(const std::string& path);

}  // namespace kingpost
