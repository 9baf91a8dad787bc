// SPDX-License-Identifier: Apache-2.0
// The language that a project's program is written in.
#pragma once

#include <string>

#include "cli/session/session.h"
#include "languages/codegen/program.h"
#include "plugins/package_questions.h"
#include "workspace/project.h"

namespace kingpost {

// The program's text in the language of the project: written here, or by the language's plugin. Fails where there is
// none.
Result<std::string> WriteProgram(const Session& session, const codegen::Program& program, const Project& project);

// The schemas of the packages that a program uses, for plugins that ask.
std::map<std::string, std::string> SchemaTexts(const codegen::Program& program);

// The messages of a language's plugin. Fails if it was an error.
Status PrintMessages(const Session& session, const SdkMessages& messages, const std::string& what);

}  // namespace kingpost
