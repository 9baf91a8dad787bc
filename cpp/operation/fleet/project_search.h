// SPDX-License-Identifier: Apache-2.0
// Finds the projects below a folder. Reads folders and runs git; any thread.
#pragma once

#include <string>
#include <vector>

namespace kingpost::fleet {

// True if the folder itself has a project file.
bool HasProjectFile(const std::string& folder);

// Every folder with a project file, sorted; the folder itself included. What git ignores is passed over, as are
// node_modules, virtual environments and folders whose names begin with a dot.
std::vector<std::string> FindProjectFolders(const std::string& folder);

}  // namespace kingpost::fleet
