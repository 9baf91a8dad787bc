// SPDX-License-Identifier: Apache-2.0
// A converted program as a project: its files, the settings and files of the one that it comes from, and SDKs of
// packages that are published nowhere. What would be overwritten is kept beside it. Main thread.
#pragma once

#include <string>

#include "cli/convert/conversion_input.h"

namespace kingpost {

struct ConversionTarget {
  std::string folder;    // absolute
  std::string language;  // as a runtime: "python", "nodejs", "yaml", "go"
  std::string name;      // of the project
};

// Pulumi.yaml of the new project: comments and settings of the old one stay. `program`: what follows in it.
Status WriteProjectFile(const Session& session, const ConversionInput& input, const ConversionTarget& target,
                        const std::string& program = "");
// The same as JSON, for a plugin that writes the project's file itself.
Result<std::string> ProjectJson(const ConversionInput& input, const ConversionTarget& target);
// The program in a language that is written here, and what it needs. Packages are not installed.
Status WriteProgramFiles(const Session& session, const ConversionInput& input, const ConversionTarget& target);
bool HasBuiltinWriter(const std::string& language);
// The project in the language by its plugin, pulumi-language-NAME. Fails where there is none.
Status WriteByLanguagePlugin(Session& session, const ConversionInput& input, const ConversionTarget& target,
                             bool strict);
// The program as plugins of languages read it, and nothing else.
Status WritePclFile(const Session& session, const ConversionInput& input, const ConversionTarget& target);
// All files of the old project but those of its program, unless they are there already.
Status CopyOtherFiles(const Session& session, const ConversionInput& input, const ConversionTarget& target);
// The SDKs of packages that a folder of the project serves, and of those among its `packages`.
Status WriteLocalSdks(Session& session, const ConversionInput& input, const Project& converted);

}  // namespace kingpost
