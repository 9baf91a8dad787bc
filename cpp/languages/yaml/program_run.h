// SPDX-License-Identifier: Apache-2.0
// A program from its stack's registration to its outputs, and a plugin, whose components are made in this process by
// the same runs. Engine thread.
#pragma once

#include <memory>

#include "kingpost/embedded_language.h"
#include "kingpost/plugin_host.h"
#include "kingpost/provider.h"
#include "languages/yaml/loader.h"

namespace kingpost::yaml {

// Ends when all that the program asked for is done, or has failed; what is wrong has been told through the services.
Task<RunResponse> RunProgram(LanguageServices services, std::shared_ptr<const LoadedProgram> loaded,
                             DeploymentInfo info);

// In component_provider.cc. Fails if the plugin's text has mistakes, or the type of an input is none that a schema has.
Result<ProviderPtr> NewComponentProvider(LanguageServices services, std::shared_ptr<const LoadedProgram> plugin);

}  // namespace kingpost::yaml
