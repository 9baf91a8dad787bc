// SPDX-License-Identifier: Apache-2.0
// The plugins that a project's program needs, as its language host tells.
#pragma once

#include <vector>

#include "cli/session/session.h"
#include "plugins/plugin_source.h"

namespace kingpost {

// The packages of this program itself, rather than of its plugins.
bool IsBuiltIn(const PluginSpec& spec);

Result<std::vector<PluginSpec>> RequiredPlugins(Session& session);
// All of them, into the cache.
Status InstallProjectPlugins(Session& session, bool reinstall, int parallel);

}  // namespace kingpost
