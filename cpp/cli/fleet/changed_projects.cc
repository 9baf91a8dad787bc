// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet/changed_projects.h"

#include <algorithm>

#include "cli/session/exit_code.h"
#include "processes/command_output.h"
#include "workspace/local_packages.h"

namespace kingpost {

namespace {

bool IsFileBelow(const std::string& file, const std::string& folder) {
  return file.size() > folder.size() && file.starts_with(folder) && file[folder.size()] == '/';
}

}  // namespace

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
    for (const std::string& file : SplitAtZeros(*list)) files.push_back(root + "/" + file);
  }
  return files;
}

bool HasChangedFiles(const Project& project, const std::set<std::string>& other_projects,
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
