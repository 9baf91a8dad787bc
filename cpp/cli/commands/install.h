// SPDX-License-Identifier: Apache-2.0
// What `install` does.
#pragma once

#include "cli/session.h"

namespace kingpost {

// The packages and plugins that the project's program needs.
Status InstallProgram(Session& session);
// The packages of a project's program alone.
Status InstallPackagesOf(Session& session, const Project& project);
// The packages alone; what is printed on the way goes to standard error.
Status InstallPackagesQuietly(Session& session);

}  // namespace kingpost
