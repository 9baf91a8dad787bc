// SPDX-License-Identifier: Apache-2.0
// The work of `install`.
#pragma once

#include "cli/session/session.h"
#include "plugins/plugin_dependencies.h"

namespace kingpost {

// Runs what brings the packages of a program or a plugin, and tells it in the words that programs match.
Status InstallDependencies(Session& session, const Result<DependencySteps>& steps);

// The packages and plugins that the project's program needs.
Status InstallProgram(Session& session);
// The packages of a project's program alone.
Status InstallPackagesOf(Session& session, const Project& project);
// Lists its packages in the form that its package manager wants, and installs none.
Status DescribePackagesOf(Session& session, const Project& project);
// The packages alone; what is printed on the way goes to standard error.
Status InstallPackagesQuietly(Session& session);

}  // namespace kingpost
