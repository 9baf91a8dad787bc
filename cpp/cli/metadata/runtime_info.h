// SPDX-License-Identifier: Apache-2.0
// Which interpreter or compiler runs a project's program, for `about` and the history.
#pragma once

#include <map>
#include <string>

#include "workspace/project.h"

namespace kingpost {

struct RuntimeInfo {
  std::string name;                             // "python"; "" if the project names none
  std::string executable, version;              // "" if they cannot be told
  std::map<std::string, std::string> metadata;  // "toolchain", "packagemanager", ...
};

// Starts the interpreter once, for its version.
RuntimeInfo ReadRuntimeInfo(const Project& project);

// Adds the versions of the tools that install and check the program ("toolchainVersion",
// "packagemanagerVersion", "typescriptVersion"). The calls of npm and pip take a third of a second, too long for
// each update's history.
void AddToolVersions(const Project& project, RuntimeInfo* about);

}  // namespace kingpost
