// SPDX-License-Identifier: Apache-2.0
// Where a Python keeps the packages that are installed for it, read from files: no interpreter is started. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kingpost {

// Its folders, in the order in which Python looks through them. `folder` is that of the program, by which a script of
// pyenv chooses the Python that it stands for.
std::vector<std::filesystem::path> SitePackagesOf(const std::string& executable, const std::string& folder);

// The source folders of `pip install -e`, as the direct_url.json of the packages in such a folder names them.
std::vector<std::string> EditableSources(const std::filesystem::path& site);

}  // namespace kingpost
