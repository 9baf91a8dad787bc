// SPDX-License-Identifier: Apache-2.0
// The arguments of git. Pure.
#pragma once

#include <string>
#include <vector>

namespace kingpost {

using GitArguments = std::vector<std::string>;

// Clones the repository into the folder in which they run, one after the other. `ref` is a branch or a tag, "" for the
// default branch, or a commit.
inline std::vector<GitArguments> CloneCommands(const std::string& url, const std::string& ref, bool is_commit) {
  // Servers need not give a single commit away: without a branch or tag all of it is fetched first.
  if (is_commit) return {{"clone", "--quiet", "--", url, "."}, {"checkout", "--quiet", "--detach", ref}};
  if (ref.empty()) return {{"clone", "--quiet", "--depth", "1", "--", url, "."}};
  return {{"clone", "--quiet", "--depth", "1", "--branch", ref, "--", url, "."}};
}

}  // namespace kingpost
