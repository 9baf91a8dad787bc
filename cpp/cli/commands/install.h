// What `install` does.
#pragma once

#include "cli/session.h"

namespace kingpost {

// The packages and plugins that the project's program needs.
Status InstallProgram(Session& session);

}  // namespace kingpost
