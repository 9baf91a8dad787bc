// SPDX-License-Identifier: Apache-2.0
// A plugin in YAML: its components are made in this process, by the same runs as programs. Engine thread.
#pragma once

#include <memory>

#include "kingpost/provider.h"
#include "languages/yaml/loader.h"
#include "languages/yaml/services.h"

namespace kingpost::yaml {

// Fails if the plugin's text has mistakes.
Result<ProviderPtr> NewComponentProvider(Services services, std::shared_ptr<const LoadedProgram> plugin);

}  // namespace kingpost::yaml
