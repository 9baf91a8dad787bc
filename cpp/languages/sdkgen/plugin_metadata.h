// SPDX-License-Identifier: Apache-2.0
// An SDK's description of its plugin: pulumi-plugin.json, and "pulumi" in package.json. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "languages/schema/package.h"

namespace kingpost::sdkgen {

// `version` is that of the SDK, or "".
nlohmann::ordered_json PluginMetadata(const schema::Package& package, const std::string& version);

}  // namespace kingpost::sdkgen
