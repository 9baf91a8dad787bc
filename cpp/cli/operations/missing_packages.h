// SPDX-License-Identifier: Apache-2.0
// Whether the packages that a program imports were ever installed in its folder, and the offer to do it.
#pragma once

#include <string>

#include "cli/session/session.h"

namespace kingpost {

// The missing packages, as "node_modules with @pulumi/pulumi, in or above FOLDER"; "" if none are known to be
// missing. Looks for folders only: a package that one of them lacks is found missing by the program.
std::string MissingPackages(const Project& project);

// Makes a virtual environment that the project names and that is missing. Of Node.js, asks whether to install what is
// missing and does it; where nobody can be asked, a warning names the command.
Status OfferToInstall(Session& session);

}  // namespace kingpost
