// SPDX-License-Identifier: Apache-2.0
// What a plugin in source form, or a program, needs beside its own files, and the commands that bring it. Reads its
// description, and makes a pyproject.toml for poetry where there is none; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "rpc/process_reaper.h"
#include "rpc/script_runtimes.h"
#include "workspace/project.h"

namespace kingpost {

// Of a folder with a PulumiPlugin.yaml or PulumiPolicy.yaml: to be run in order. None for an executable, and for what
// needs nothing.
Result<std::vector<ProcessSpec>> DependencyCommands(const std::string& folder);

// The same for the project's program. Without a virtual environment in its options, a Python program shares the one
// that is active.
Result<std::vector<ProcessSpec>> ProgramDependencyCommands(const Project& project);

// Whether the command, one of these, makes a virtual environment of Python for those behind it.
bool MakesVirtualEnvironment(const ProcessSpec& command);

}  // namespace kingpost
