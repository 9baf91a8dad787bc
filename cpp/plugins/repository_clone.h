// SPDX-License-Identifier: Apache-2.0
// Repositories of plugins, by the git that is installed, which may know who is asked by its helpers, but asks nobody
// itself. Loop thread. The repository's user and password do not get into errors.
#pragma once

#include <memory>
#include <string>

#include "plugins/plugin_repository.h"
#include "processes/program_runner.h"

namespace kingpost {

// "COMMIT\tREF" in each line, HEAD in the first.
Task<Result<std::string>> ListRefs(std::shared_ptr<ProgramRunner> runner, PluginRepository repository);

// Into a folder that is there and empty.
Task<Status> CloneRepository(std::shared_ptr<ProgramRunner> runner, PluginRepository repository,
                             RepositoryVersion version, std::string folder);

}  // namespace kingpost
