// SPDX-License-Identifier: Apache-2.0
// A description of a plugin as all ecosystems write it, {resource, name, version, server, parameterization}, and the
// folders where such are looked for. Any thread.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kingpost/plugin_host.h"

namespace kingpost {

// Nullopt if it is not about a resource plugin.
std::optional<RequiredPackage> ReadPackageDescription(const nlohmann::json& json, const std::string& default_name,
                                                      const std::string& default_version);

std::string StripVersionPrefix(std::string version);  // "1.2.3" of "v1.2.3"

// The folders in a folder, also behind links, by name. None if it cannot be read.
std::vector<std::filesystem::path> FoldersIn(const std::filesystem::path& folder);

std::string TextOfFile(const std::filesystem::path& path);  // "" if it cannot be read

}  // namespace kingpost
