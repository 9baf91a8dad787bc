// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/project_search.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "processes/command_output.h"

namespace kingpost::fleet {

namespace {

namespace fs = std::filesystem;

bool IsPassedOver(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::error_code error;
  return name.starts_with('.') || name == "node_modules" || fs::exists(folder / "pyvenv.cfg", error);
}

// Those of the folders that git ignores. Where there is no repository, none are.
std::set<std::string> IgnoredOf(const std::string& folder, const std::vector<std::string>& folders) {
  std::set<std::string> ignored;
  constexpr size_t kAtOnce = 500;  // a command line has an end
  for (size_t begin = 0; begin < folders.size(); begin += kAtOnce) {
    std::vector<std::string> command = {"git", "check-ignore", "-z", "--"};
    const size_t end = std::min(folders.size(), begin + kAtOnce);
    command.insert(command.end(), folders.begin() + static_cast<std::ptrdiff_t>(begin),
                   folders.begin() + static_cast<std::ptrdiff_t>(end));
    // It ends with 1 if it ignores none of them.
    const std::optional<std::string> output = OutputOf(command, folder);
    if (!output) continue;
    for (std::string& one : SplitAtZeros(*output)) ignored.insert(std::move(one));
  }
  return ignored;
}

}  // namespace

bool HasProjectFile(const std::string& folder) {
  static constexpr const char* kNames[] = {"Pulumi.yaml", "Pulumi.yml", "Pulumi.json"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&folder](const char* name) {
    std::error_code error;
    return fs::is_regular_file(fs::path(folder) / name, error);
  });
}

std::vector<std::string> FindProjectFolders(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  if (HasProjectFile(folder)) found.push_back(folder);
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_symlink(error) || !at->is_directory(error)) continue;
    if (IsPassedOver(at->path())) {
      at.disable_recursion_pending();
    } else if (HasProjectFile(at->path().string())) {
      found.push_back(at->path().string());
    }
  }
  const std::set<std::string> ignored = IgnoredOf(folder, found);
  std::erase_if(found, [&ignored](const std::string& one) { return ignored.contains(one); });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace kingpost::fleet
