// SPDX-License-Identifier: Apache-2.0
// Where Python and Node.js are, for programs, plugins and policy packs written in them (rows 8.1, 9.7). Looks at the
// file system; quick. Any thread.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost {

// The runtime options of a project or a plugin, as text ("virtualenv", "toolchain", "nodeargs", "typescript").
using RuntimeOptions = std::map<std::string, std::string>;
std::string Option(const RuntimeOptions& options, const std::string& name);  // "" if it is absent
RuntimeOptions OptionTexts(const nlohmann::json& options);                   // lists and objects as JSON

struct PythonInterpreter {
  std::string executable;
  // VIRTUAL_ENV and PATH, if it is a virtual environment's.
  std::map<std::string, std::string> environment;
};
// The virtual environment of the options (relative to `folder`). Else, for the toolchains uv and poetry, .venv in the
// folder or above it, or $UV_PROJECT_ENVIRONMENT. Else, for plugins, one in the folder; else $PULUMI_PYTHON_CMD,
// python3, python.
Result<PythonInterpreter> FindPython(const RuntimeOptions& options, const std::string& folder, bool is_plugin);

// The name of a file in a virtual environment whose packages are not all in it: their installation was interrupted, or
// failed.
inline constexpr char kUnfinishedEnvironment[] = ".kingpost-unfinished";

// The file of an npm module path such as "@pulumi/pulumi/cmd/run", searched in node_modules from `folder` upwards.
// The error says to install the dependencies.
Result<std::string> FindNodeModule(const std::string& module, const std::string& folder);
// Environment that the options ask for: TypeScript and its configuration.
std::map<std::string, std::string> NodeEnvironment(const RuntimeOptions& options);
// The arguments in `nodeargs`, split as a shell would.
std::vector<std::string> NodeArguments(const RuntimeOptions& options);

// The executable of that name on PATH, or "".
std::string FindOnPath(const std::string& name);
bool IsExecutableFile(const std::string& path);

}  // namespace kingpost
