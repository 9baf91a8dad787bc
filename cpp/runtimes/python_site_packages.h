// SPDX-License-Identifier: Apache-2.0
// Finds the packages that are installed for a Python. Reads files and starts no interpreter. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kingpost {

// The Python behind a script of pyenv that chooses it by the program's `folder`; other executables as they are.
std::filesystem::path ResolveShim(const std::filesystem::path& executable, const std::filesystem::path& folder);

// The folders of packages, in the order in which Python searches them. `folder` is the program's: a script of pyenv
// chooses its Python by it.
std::vector<std::filesystem::path> SitePackagesOf(const std::string& executable, const std::string& folder);

// The source folders of `pip install -e`, which the direct_url.json files in a folder of packages name.
std::vector<std::string> EditableSources(const std::filesystem::path& site);

}  // namespace kingpost
