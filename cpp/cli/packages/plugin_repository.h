// SPDX-License-Identifier: Apache-2.0
// Plugins in git repositories: github.com/acme/components, with ".git/FOLDER" for one that is inside, and with
// "@VERSION" for a tag or a commit. They are kept in the cache of plugins. Main thread.
#pragma once

#include <optional>
#include <string>

#include "cli/session.h"

namespace kingpost {

struct PluginRepository {
  std::string url;     // to clone: https://github.com/acme/components.git
  std::string name;    // as the cache calls it: github.com_acme_components.git
  std::string inside;  // the folder that is meant; "" for all of it
  std::string owner;   // "acme"
};
// Nothing if the text is no such address.
std::optional<PluginRepository> ParseRepository(const std::string& source);

// The folder of the plugin; fetched, unless the cache has it. Without a version: the highest tag that is one, or else
// the newest commit.
Result<std::string> FetchRepository(Session& session, const PluginRepository& repository, const std::string& version);

}  // namespace kingpost
