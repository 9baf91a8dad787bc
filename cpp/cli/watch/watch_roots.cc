// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/watch_roots.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/watch/ignored_paths.h"
#include "runtimes/python_site_packages.h"
#include "runtimes/script_runtimes.h"
#include "workspace/local_packages.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> EntriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  return entries;
}

// Adds the source folders of `pip install -e`.
void AddEditablePackages(const Project& project, std::vector<std::string>* roots) {
  const auto python = FindPython(OptionTexts(*project.runtime_options), project.folder(), false);
  if (!python.ok()) return;
  for (const fs::path& site : SitePackagesOf(python->executable, project.folder())) {
    for (std::string& source : EditableSources(site)) roots->push_back(std::move(source));
  }
}

// Links in node_modules to folders that are not in it: workspaces, `npm link`, "file:" dependencies.
void AddLinkedPackages(const Project& project, std::vector<std::string>* roots) {
  std::vector<fs::path> packages;
  for (const fs::path& entry : EntriesOf(fs::path(project.ProgramFolder()) / "node_modules")) {
    if (!entry.filename().string().starts_with('@')) {
      packages.push_back(entry);
      continue;
    }
    for (fs::path& scoped : EntriesOf(entry)) packages.push_back(std::move(scoped));
  }
  for (const fs::path& package : packages) {
    std::error_code error;
    if (!fs::is_symlink(package, error)) continue;
    const std::string target = fs::canonical(package, error).string();
    if (!error && target.find("/node_modules/") == std::string::npos) roots->push_back(target);
  }
}

}  // namespace

std::vector<std::string> WatchRoots(const Project& project, const std::string& settings,
                                    const std::vector<std::string>& others) {
  std::vector<std::string> roots = {project.folder(), project.ProgramFolder(), settings};
  for (const auto* plugins : {&project.provider_plugins, &project.analyzer_plugins, &project.language_plugins}) {
    for (const PluginOption& plugin : *plugins) {
      if (!plugin.path.empty()) roots.push_back((fs::path(project.folder()) / plugin.path).string());
    }
  }
  for (const auto& [name, package] : project.packages) {
    if (IsLocalSource(package.source)) roots.push_back((fs::path(project.folder()) / package.source).string());
  }
  if (project.runtime == "python") AddEditablePackages(project, &roots);
  if (project.runtime == "nodejs") AddLinkedPackages(project, &roots);
  roots.insert(roots.end(), others.begin(), others.end());
  for (std::string& root : roots) {
    root = fs::absolute(root).lexically_normal().string();
    if (root.size() > 1 && root.back() == '/') root.pop_back();
  }
  std::sort(roots.begin(), roots.end());
  std::vector<std::string> outermost;
  for (std::string& root : roots) {
    const bool within = std::any_of(outermost.begin(), outermost.end(), [&](const std::string& other) {
      return root == other || root.starts_with(other + "/");
    });
    if (!within) outermost.push_back(std::move(root));
  }
  return outermost;
}

Result<std::unique_ptr<WatchedFiles>> WatchBelow(const std::vector<std::string>& roots, const std::string& runtime) {
  auto rules = std::make_shared<std::vector<std::pair<std::string, IgnoredPaths>>>();
  for (const std::string& root : roots) {
    std::error_code error;
    if (fs::is_directory(root, error)) rules->emplace_back(root + "/", IgnoredPaths(root, runtime));
  }
  const auto is_ignored = [rules](const std::string& path, bool is_folder) {
    for (auto& [root, rule] : *rules) {
      if (path.starts_with(root)) return rule.Has(path, is_folder);
    }
    return false;
  };
  Result<std::unique_ptr<WatchedFiles>> files = WatchedFiles::Open(roots, is_ignored);
  for (auto& [root, rule] : *rules) rule.BeginGitQueries();
  return files;
}

}  // namespace kingpost
