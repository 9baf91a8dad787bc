// SPDX-License-Identifier: Apache-2.0
// The schema of a plugin whose components are declared in YAML. Any thread.
#pragma once

#include <string>

#include "languages/yaml/program_decl.h"

namespace kingpost::yaml {

// As JSON. Fails where the type of an input is none that a schema has.
Result<std::string> ComponentSchema(const ProgramDecl& plugin);

}  // namespace kingpost::yaml
