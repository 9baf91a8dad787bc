// SPDX-License-Identifier: Apache-2.0
// Which projects have changed.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "workspace/project.h"

namespace kingpost {

// Files that differ from the commit or are not known to git, as absolute paths. Fails outside of a repository, and for
// what is no commit.
Result<std::vector<std::string>> FilesChangedSince(const std::string& folder, const std::string& commit);

// Whether one of the files lies in the project's folder, or in that of a package of it on this machine. A file of
// another project further in does not count.
bool HasChangedFiles(const Project& project, const std::set<std::string>& other_projects,
                     const std::vector<std::string>& files);

}  // namespace kingpost
