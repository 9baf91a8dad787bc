// SPDX-License-Identifier: Apache-2.0
// The files of a project's folder that are not its source: those that git ignores, and those of common tools
// (packages, virtual environments, caches, files of editors). One thread.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace kingpost {

// By the name alone, or by what stands in a folder. `runtime` is the project's: some name folders of what is built.
bool IsIgnoredByDefault(const std::string& path, bool is_folder, const std::string& runtime);

class IgnoredPaths {
 public:
  // Asks git once for all that it ignores there; where there is no git or no repository, the usual names must do.
  IgnoredPaths(std::string root, std::string runtime);

  bool Has(const std::string& path, bool is_folder);
  // From now on paths may be new ones, which git has not told of: each is asked for once.
  void BeginGitQueries() { asks_ = true; }

 private:
  void List();
  bool GitIgnores(const std::string& path, bool is_folder);

  const std::string root_, runtime_;
  bool has_git_ = false;
  bool asks_ = false;
  std::unordered_set<std::string> listed_;  // when List was called
  std::unordered_map<std::string, bool> asked_since_;
};

}  // namespace kingpost
