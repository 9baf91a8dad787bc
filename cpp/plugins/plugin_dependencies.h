// SPDX-License-Identifier: Apache-2.0
// The dependencies of a plugin in source form, or of a program, and the steps that install them. Reads its
// description and changes nothing; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "processes/process_reaper.h"
#include "runtimes/script_runtimes.h"
#include "workspace/project.h"

namespace kingpost {

// A command, or something that we do ourselves.
struct DependencyStep {
  ProcessSpec command = {};
  std::function<Status()> act = nullptr;  // blocking, any thread; null: the command is run
  std::string done = {};                  // to be told afterwards
};
using DependencySteps = std::vector<DependencyStep>;

// The steps for a folder with a PulumiPlugin.yaml or PulumiPolicy.yaml, in order. None for an executable, and for what
// needs nothing.
Result<DependencySteps> PluginDependencySteps(const std::string& folder);

// The same for the project's program. Without a virtual environment in its options, a Python program shares the one
// that is active.
Result<DependencySteps> ProgramDependencySteps(const Project& project);

// Those of them that only change how the program lists its packages: uv and poetry have files of their own for that.
Result<DependencySteps> DescriptionSteps(const Project& project);

// Whether the step, one of these, makes a virtual environment of Python for those behind it.
bool MakesVirtualEnvironment(const DependencyStep& step);

}  // namespace kingpost
