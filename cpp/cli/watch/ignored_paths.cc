// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/ignored_paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "processes/command_output.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 21> kToolFolders = {
    ".git",          ".hg",     ".svn",        "node_modules", "__pycache__", ".venv", "venv",
    ".tox",          ".nox",    ".mypy_cache", ".ruff_cache",  ".pulumi",     ".idea", ".vscode",
    ".pytest_cache", ".gradle", ".terraform",  ".direnv",      ".cache",      ".eggs", ".yarn"};

struct BuildFolder {
  std::string_view runtime, name;
};
constexpr std::array<BuildFolder, 6> kBuildFolders = {{{"nodejs", "bin"},
                                                       {"nodejs", "dist"},
                                                       {"dotnet", "bin"},
                                                       {"dotnet", "obj"},
                                                       {"java", "target"},
                                                       {"java", "build"}}};

// Files of editors, and of Python: beside a file, or in its place for a moment.
bool IsNoSource(std::string_view name) {
  for (const std::string_view end : {"~", ".swp", ".swo", ".swx", ".tmp", ".bak", ".pyc", ".pyo", ".lock.tmp"}) {
    if (name.ends_with(end)) return true;
  }
  return name == "4913" || name.starts_with(".#") || (name.starts_with('#') && name.ends_with('#')) ||
         name == ".DS_Store" || name.starts_with(".goutputstream-");
}

}  // namespace

bool IsIgnoredByDefault(const std::string& path, bool is_folder, const std::string& runtime) {
  const std::string name = fs::path(path).filename().string();
  if (!is_folder) return IsNoSource(name);
  const bool is_of_a_tool = std::find(kToolFolders.begin(), kToolFolders.end(), name) != kToolFolders.end();
  if (is_of_a_tool || name.ends_with(".egg-info")) return true;
  for (const BuildFolder& built : kBuildFolders) {
    if (built.runtime == runtime && built.name == name) return true;
  }
  std::error_code error;
  return fs::exists(path + "/pyvenv.cfg", error);
}

IgnoredPaths::IgnoredPaths(std::string root, std::string runtime)
    : root_(std::move(root)), runtime_(std::move(runtime)) {
  List();
}

void IgnoredPaths::List() {
  listed_.clear();
  asked_since_.clear();
  const auto ignored =
      OutputOf({"git", "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"}, root_);
  has_git_ = ignored.has_value();
  if (!has_git_) return;
  for (const std::string& entry : SplitAtZeros(*ignored)) {
    std::string path = root_ + "/" + entry;
    if (path.back() == '/') path.pop_back();
    listed_.insert(std::move(path));
  }
}

bool IgnoredPaths::GitIgnores(const std::string& path, bool is_folder) {
  if (!has_git_ || !path.starts_with(root_ + "/")) return false;
  if (listed_.count(path) > 0) return true;
  if (!asks_) return false;
  const auto known = asked_since_.find(path);
  if (known != asked_since_.end()) return known->second;
  const std::string asked = path + (is_folder ? "/" : "");
  const bool ignored = OutputOf({"git", "check-ignore", "--", asked}, root_).has_value();
  asked_since_[path] = ignored;
  return ignored;
}

bool IgnoredPaths::Has(const std::string& path, bool is_folder) {
  if (IsIgnoredByDefault(path, is_folder, runtime_)) return true;
  if (fs::path(path).filename() == ".gitignore") {
    if (asks_) List();  // it may have changed
    return true;        // no program reads it
  }
  return GitIgnores(path, is_folder);
}

}  // namespace kingpost
