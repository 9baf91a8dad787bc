// SPDX-License-Identifier: Apache-2.0
// Addresses of git repositories as people paste them from a browser. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kingpost {

// https://github.com/acme/templates/tree/main/web
struct GitAddress {
  std::string url;     // to clone: https://github.com/acme/templates.git
  std::string inside;  // what stands behind it: "web", or with a branch, a tag or a commit first: "tree/main/web"
};
// Nothing if the text is no address with https, ssh or user@host:path, or leads upwards.
std::optional<GitAddress> ParseGitAddress(const std::string& text);

// The commit to check out, and the folder in it.
struct GitFolder {
  std::string ref;  // branch, tag or commit; "" for the default branch
  std::string folder;
};
// The longest of `refs` (short names: "main", "release/1") that `inside` begins with counts. Nothing if there is none.
std::optional<GitFolder> SplitRefAndFolder(const std::string& inside, const std::vector<std::string>& refs);

}  // namespace kingpost
