// SPDX-License-Identifier: Apache-2.0
#include "workspace/local_packages.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// Depth first: a plugin is added when all that it needs has been.
class Walk {
 public:
  void Visit(const Project& owner) {
    for (const auto& [name, package] : owner.packages) {
      if (IsLocalSource(package.source)) Visit(name, PathOf(owner, package));
    }
  }
  LocalPackages Take() { return std::move(found_); }

 private:
  static std::string PathOf(const Project& owner, const PackageSpec& package) {
    const fs::path path = (fs::path(owner.folder()) / package.source).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).string();
  }

  void Visit(const std::string& name, const std::string& path) {
    if (const auto again = std::find(way_.begin(), way_.end(), path); again != way_.end()) {
      if (!found_.cycle.empty()) return;
      found_.cycle.assign(again, way_.end());
      found_.cycle.push_back(path);
      return;
    }
    if (!seen_.emplace(name, path).second) return;
    way_.push_back(path);
    // The user of a plugin reports that it cannot be read.
    const Result<Project> plugin = Project::LoadPlugin((fs::path(path) / "PulumiPlugin.yaml").string());
    if (plugin.ok()) Visit(*plugin);
    way_.pop_back();
    found_.packages.push_back({name, path});
  }

  LocalPackages found_;
  std::vector<std::string> way_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

bool IsLocalSource(const std::string& source) {
  return source.starts_with('/') || source.starts_with("./") || source.starts_with("../") || source == "." ||
         source == "..";
}

LocalPackages FindLocalPackages(const Project& project) {
  Walk walk;
  walk.Visit(project);
  return walk.Take();
}

}  // namespace kingpost
