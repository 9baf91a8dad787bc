// SPDX-License-Identifier: Apache-2.0
// A program as text, in the languages that are written without a plugin. Any thread.
#pragma once

#include <string>

#include "languages/codegen/names.h"
#include "languages/codegen/program.h"

namespace kingpost::codegen {

std::string WritePython(const Program& program);

enum class ModuleKind { kImport, kRequire };  // of TypeScript, and of JavaScript that Node.js runs as it is
std::string WriteTypeScript(const Program& program, ModuleKind modules);

std::string WriteYaml(const Program& program);

// Fails for what has no form there.
Result<std::string> WritePcl(const Program& program);

}  // namespace kingpost::codegen
