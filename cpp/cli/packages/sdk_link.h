// SPDX-License-Identifier: Apache-2.0
// An SDK in a folder of the project becomes something that the program depends on. Main thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/packages/project_packages.h"

namespace kingpost {

// `document` is the package's schema, for plugins of languages; `path` is the SDK's, relative to the home. Answers how
// to import it.
Result<std::string> LinkSdkFolder(Session& session, const SdkDestination& home, const schema::Package& package,
                                  const nlohmann::ordered_json& document, const std::string& path);

}  // namespace kingpost
