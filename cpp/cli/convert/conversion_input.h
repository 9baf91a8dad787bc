// SPDX-License-Identifier: Apache-2.0
// The program that `convert` reads: a project in YAML, and the packages that it uses. Main thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "languages/codegen/program.h"

namespace kingpost {

struct ConversionInput {
  Project project;
  codegen::Program program;
  std::string required_version;  // of the engine; "" for any
  std::string file;              // the program's
};

// Fails when a part has no form in other languages, after each of them was told. With `strict`, also when a part may
// mean something else there.
Result<ConversionInput> ReadYamlProgram(Session& session, bool strict);

}  // namespace kingpost
