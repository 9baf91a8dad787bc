// SPDX-License-Identifier: Apache-2.0
// The schemas of packages, asked from their plugins outside of an operation. Main thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/session/session.h"
#include "languages/codegen/program.h"
#include "languages/pcl/snippet.h"
#include "workspace/plain_config.h"

namespace kingpost {

struct LoadedSchemas {
  codegen::Packages packages;
  std::map<std::string, std::string> failures;  // package -> why it has none
};

// Starts the plugin of each package for as long as it is asked.
Result<LoadedSchemas> LoadSchemas(const Session& session, const Project& project,
                                  const std::map<std::string, ConfigValue>& config,
                                  const std::vector<pcl::PackageDescriptor>& packages);

}  // namespace kingpost
