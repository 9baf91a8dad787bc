// SPDX-License-Identifier: Apache-2.0
#include "runtimes/package_description.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"
#include "base/os.h"

namespace kingpost {

namespace fs = std::filesystem;

std::optional<RequiredPackage> ReadPackageDescription(const nlohmann::json& json, const std::string& default_name,
                                                      const std::string& default_version) {
  if (!BoolOf(json, "resource")) return std::nullopt;
  RequiredPackage package;
  package.kind = "resource";
  package.name = TextOf(json, "name");
  if (package.name.empty()) package.name = default_name;
  package.version = StripVersionPrefix(TextOf(json, "version"));
  if (package.version.empty()) package.version = StripVersionPrefix(default_version);
  package.download_url = TextOf(json, "server");
  const nlohmann::json* parameterization = FieldOf(json, "parameterization");
  if (parameterization && parameterization->is_object()) {
    package.parameterization.emplace();
    package.parameterization->name = TextOf(*parameterization, "name");
    package.parameterization->version = StripVersionPrefix(TextOf(*parameterization, "version"));
    package.parameterization->value = Base64Decode(TextOf(*parameterization, "value")).value_or("");
  }
  return package;
}

std::string StripVersionPrefix(std::string version) {
  if (!version.empty() && version[0] == 'v') version.erase(0, 1);
  return version;
}

std::vector<fs::path> FoldersIn(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code unreadable;  // a link to nowhere is no end of the others
    if (at->is_directory(unreadable)) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string TextOfFile(const fs::path& path) {
  Result<std::string> text = ReadWholeFile(path.string());
  return text.ok() ? std::move(*text) : "";
}

}  // namespace kingpost
