// SPDX-License-Identifier: Apache-2.0
// Prepares plugins in source form: makes SDKs of the packages that their PulumiPlugin.yaml names, and installs the
// packages of their language. Plugins that need each other are told as a cycle. Main thread.
#pragma once

#include <string>

#include "cli/session/session.h"
#include "workspace/project.h"

namespace kingpost {

// Those among the packages of a project, or of a plugin, and those that they need: each behind its own needs.
Status InstallLocalPlugins(Session& session, const Project& project);

// The plugin in the folder, behind those that it needs.
Status InstallPluginFolder(Session& session, const std::string& folder);

}  // namespace kingpost
