// SPDX-License-Identifier: Apache-2.0
// The folders and files of a watch: the project's folder and its program's, and the stack's settings. Also packages
// and plugins that the project, the virtual environment or node_modules takes from folders of this machine. Reads
// folders.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/watch/watched_files.h"
#include "workspace/project.h"

namespace kingpost {

// Absolute, sorted, none within another. `settings` is the stack's settings file; `others` are what the user names.
std::vector<std::string> WatchRoots(const Project& project, const std::string& settings,
                                    const std::vector<std::string>& others);

// The files below them, but for what ignored_paths.h says.
Result<std::unique_ptr<WatchedFiles>> WatchBelow(const std::vector<std::string>& roots, const std::string& runtime);

}  // namespace kingpost
