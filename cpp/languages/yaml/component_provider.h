// SPDX-License-Identifier: Apache-2.0
// A plugin in YAML: its components are made in this process, by the same runs as programs. Engine thread.
#pragma once

#include <memory>
#include <string>

#include "kingpost/embedded_language.h"
#include "kingpost/provider.h"
#include "languages/yaml/loader.h"

namespace kingpost::yaml {

// The schema of a plugin's components, as JSON. Fails where the type of an input is none that a schema has.
Result<std::string> ComponentSchema(const ProgramDecl& plugin);

// Fails if the plugin's text has mistakes.
Result<ProviderPtr> NewComponentProvider(LanguageServices services, std::shared_ptr<const LoadedProgram> plugin);

}  // namespace kingpost::yaml
