// SPDX-License-Identifier: Apache-2.0
// The language that a project's program is written in.
#pragma once

#include <string>

#include "codegen/program.h"
#include "workspace/project.h"

namespace kingpost {

// The program's text in the language of the project. Fails for a language that no one writes.
Result<std::string> WriteProgram(const codegen::Program& program, const Project& project);

}  // namespace kingpost
