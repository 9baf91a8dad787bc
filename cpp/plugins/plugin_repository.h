// SPDX-License-Identifier: Apache-2.0
// Plugins in git repositories: github.com/acme/components[/FOLDER], or with ".git/FOLDER" where the host nests its
// repositories. A version is a tag, or 0.0.0-x and a commit. Pure.
//
// Where a package in one comes from is told, in schemas, SDKs and states, with the scheme git:
//
//   git://github.com/acme/components/FOLDER     by https
//   git:///srv/git/components.git/FOLDER        on this machine
//   git+ssh://..., git+http://...               otherwise
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "plugins/plugin_source.h"

namespace kingpost {

struct PluginRepository {
  std::string url;           // to clone: https://github.com/acme/components.git
  std::string name;          // as the cache calls it: github.com_acme_components.git_FOLDER
  std::string inside;        // the folder that is meant; "" for all of it
  std::string owner;         // "acme"
  std::string download_url;  // without user and password
};
// Nothing if the text is no such address.
std::optional<PluginRepository> ParseRepository(const std::string& source);
bool IsRepositoryUrl(const std::string& download_url);

// "acme/components@v1.0" -> "acme/components" and "v1.0". An "@" before the last "/" belongs to the address.
std::pair<std::string, std::string> SplitVersion(const std::string& text);

struct RepositoryVersion {
  std::string version;  // "1.2.0", or "0.0.0-x" and the commit
  std::string ref;      // "v1.2.0", or the commit
  bool is_commit = false;
};
// The commit that a version or a text names, if it does.
std::optional<RepositoryVersion> CommitVersion(const std::string& text);
// Resolves `wanted` (a semantic version, or "" for the latest) with the list of `git ls-remote`: the tag, or without
// any the newest commit.
Result<RepositoryVersion> ChooseVersion(const PluginRepository& repository, const std::string& listing,
                                        const std::string& wanted);

// The plugin in the repository, as a resource plugin; `version` is a semantic version, a commit or "". Asks nobody.
Result<PluginSpec> PluginIn(const PluginRepository& repository, const std::string& version);

// "github.com_acme_components.git" of a plugin in a repository, otherwise its name.
std::string CacheNameOf(const std::string& name, const std::string& download_url);

}  // namespace kingpost
