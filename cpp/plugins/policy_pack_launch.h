// SPDX-License-Identifier: Apache-2.0
// Everything that a policy pack is started with, read from its folder and from the configuration the user names for it.
// Blocking; any thread.
#pragma once

#include "kingpost/plugin_host.h"
#include "plugins/plugin_launch.h"
#include "plugins/policy_config.h"

namespace kingpost {

struct PreparedPack {
  PolicyPack pack;
  PluginLaunch launch;
  PolicyPackConfig config;
};
Result<PreparedPack> PreparePack(const AnalyzerSpec& spec, const LaunchContext& context);

}  // namespace kingpost
