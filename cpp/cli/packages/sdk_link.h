// SPDX-License-Identifier: Apache-2.0
// An SDK in a folder of the project becomes something that the program depends on. Main thread.
#pragma once

#include <string>

#include "cli/packages/project_packages.h"

namespace kingpost {

// `path` is the SDK's, relative to the home. Answers how to import it.
Result<std::string> LinkSdkFolder(Session& session, const PackageHome& home, const schema::Package& package,
                                  const std::string& path);

}  // namespace kingpost
