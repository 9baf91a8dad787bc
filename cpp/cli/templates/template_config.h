// SPDX-License-Identifier: Apache-2.0
// The settings of a new project's first stack: those that the template asks for, and those of --config.
#pragma once

#include "cli/session/session.h"
#include "cli/templates/new_project.h"

namespace kingpost {

// A value that the template calls a secret is saved as one, wherever it comes from.
Status SaveTemplateConfig(Session& session, const NewOptions& options, const ProjectTemplate& from,
                          const StackName& stack);

}  // namespace kingpost
