// SPDX-License-Identifier: Apache-2.0
// Which packages a project's program stands on, for `about`.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "workspace/project.h"

namespace kingpost {

struct ProgramDependency {
  std::string name, version;  // "@pulumi/pulumi", "3.270.0"
};

// The program's own dependencies, in their installed versions; with `transitive` all that is installed for it. Sorted
// by name. Asks `executable`, the interpreter or compiler (RuntimeInfo::executable), which takes a moment; other
// runtimes than Python, Node.js, Bun and Go have none to tell.
Result<std::vector<ProgramDependency>> ProgramDependencies(const Project& project, const std::string& executable,
                                                           bool transitive);

}  // namespace kingpost
