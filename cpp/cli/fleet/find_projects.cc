// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/find_projects.h"

#include <algorithm>
#include <filesystem>

#include "cli/session/command_output.h"
#include "cli/session/exit_code.h"
#include "workspace/local_packages.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

bool HoldsProject(const fs::path& folder) {
  std::error_code error;
  static constexpr const char* kNames[] = {"Pulumi.yaml", "Pulumi.yml", "Pulumi.json"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](const char* name) { return fs::is_regular_file(folder / name, error); });
}

bool IsPassedOver(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::error_code error;
  return name.starts_with('.') || name == "node_modules" || fs::exists(folder / "pyvenv.cfg", error);
}

std::vector<std::string> SplitList(const std::string& text, char end) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t at = std::min(text.find(end, begin), text.size());
    if (at > begin) parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return parts;
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
    for (std::string& one : SplitList(*output, '\0')) ignored.insert(std::move(one));
  }
  return ignored;
}

bool IsFileBelow(const std::string& file, const std::string& folder) {
  return file.size() > folder.size() && file.starts_with(folder) && file[folder.size()] == '/';
}

}  // namespace

std::vector<std::string> FindProjectFolders(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  if (HoldsProject(folder)) found.push_back(folder);
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_symlink(error) || !at->is_directory(error)) continue;
    if (IsPassedOver(at->path())) {
      at.disable_recursion_pending();
    } else if (HoldsProject(at->path())) {
      found.push_back(at->path().string());
    }
  }
  const std::set<std::string> ignored = IgnoredOf(folder, found);
  std::erase_if(found, [&](const std::string& one) { return ignored.contains(one); });
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::vector<std::string>> FilesChangedSince(const std::string& folder, const std::string& commit) {
  const std::optional<std::string> top = OutputOf({"git", "rev-parse", "--show-toplevel"}, folder);
  if (!top) return UsageError("--changed-since: " + folder + " is in no git repository");
  const std::string root = top->substr(0, top->find('\n'));
  const std::optional<std::string> known =
      OutputOf({"git", "rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}"}, folder);
  if (!known) return UsageError("--changed-since: git knows no commit '" + commit + "'");
  const std::string id = known->substr(0, known->find('\n'));
  const std::optional<std::string> changed =
      OutputOf({"git", "diff", "--name-only", "-z", "--no-ext-diff", id, "--"}, root);
  const std::optional<std::string> added = OutputOf({"git", "ls-files", "-z", "--others", "--exclude-standard"}, root);
  if (!changed || !added) return UsageError("--changed-since: git could not compare with '" + commit + "'");
  std::vector<std::string> files;
  for (const std::string* list : {&*changed, &*added}) {
    for (const std::string& file : SplitList(*list, '\0')) files.push_back(root + "/" + file);
  }
  return files;
}

bool IsTouched(const Project& project, const std::set<std::string>& other_projects,
               const std::vector<std::string>& files) {
  std::vector<std::string> folders = {project.folder()};
  for (const LocalPackage& package : FindLocalPackages(project).packages) folders.push_back(package.path);
  for (const std::string& file : files) {
    for (size_t i = 0; i < folders.size(); ++i) {
      if (file != folders[i] && !IsFileBelow(file, folders[i])) continue;
      const bool of_another =
          i == 0 && std::any_of(other_projects.begin(), other_projects.end(), [&](const auto& other) {
            return IsFileBelow(other, folders[0]) && IsFileBelow(file, other);
          });
      if (!of_another) return true;
    }
  }
  return false;
}

}  // namespace kingpost
