// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kingpost::sdkgen {

// The texts below `name`, by key.
std::map<std::string, std::string> TextMapOf(const nlohmann::json& object, const char* name);

}  // namespace kingpost::sdkgen
