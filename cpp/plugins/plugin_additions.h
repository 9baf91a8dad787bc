// SPDX-License-Identifier: Apache-2.0
// Variables that plugins get beside those that they inherit. Any thread.
#pragma once

#include <map>
#include <string>

#include "kingpost/plugin_host.h"
#include "workspace/plain_config.h"
#include "workspace/project.h"

namespace kingpost {

// A provider gets the program's runtime, the project, and the configuration of its package.
std::map<std::string, std::string> ProviderEnvironment(const Project& project, const PlainConfig& config,
                                                       const ProviderSpec& spec);
// Policies read these through the SDK: the stack and its configuration, decrypted.
std::map<std::string, std::string> PolicyPackEnvironment(const AnalyzerSpec& spec);

}  // namespace kingpost
