// What a plugin in source form needs beside its own files, and the commands that bring it. Reads the plugin's
// description; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "rpc/process_reaper.h"

namespace kingpost {

// To be run in order, in the plugin's folder. None for an executable, and for a plugin that needs nothing.
Result<std::vector<ProcessSpec>> DependencyCommands(const std::string& folder);

}  // namespace kingpost
