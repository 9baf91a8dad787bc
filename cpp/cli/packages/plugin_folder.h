// SPDX-License-Identifier: Apache-2.0
// Plugins that a source names by a path or by the address of a repository. Main thread.
#pragma once

#include <string>

#include "cli/packages/package_source.h"

namespace kingpost {

// From `record` to the plugin to ask; a folder's plugin joins those of the project. Fetches a repository into the cache
// of plugins, and what a plugin in source form needs where it is missing.
Status LocatePlugin(Session& session, FoundSource* found);

// Whether it is a path and no name: it begins with "/" or ".", or is there, as a program or a folder with a plugin.
bool IsPluginPath(const std::string& text);

}  // namespace kingpost
