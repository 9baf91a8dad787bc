// SPDX-License-Identifier: Apache-2.0
// The project file's part on the configuration of its stacks: defaults, values for all, types. Pure.
#pragma once

#include <map>
#include <string>

#include "base/status.h"
#include "workspace/config_value.h"
#include "workspace/project.h"

namespace kingpost {

// Whether the project declares the key as a secret.
bool DeclaresSecret(const Project& project, const ConfigKey& key);

// The stack's configuration with the project's values and defaults filled in. Names all keys that are required but set
// nowhere, unless `validate` is false.
Result<ConfigMap> MergeProjectConfig(const Project& project, const std::string& stack, ConfigMap config, bool validate);

// Types, and secrets that are not: what the project says about `merged`. `plain` is the same, decrypted.
Status ValidateProjectConfig(const Project& project, const std::string& stack, const ConfigMap& merged,
                             const std::map<std::string, ConfigValue>& plain);

}  // namespace kingpost
