// SPDX-License-Identifier: Apache-2.0
// Which package manager installs what a Node.js program needs, and where. Looks at the file system and PATH; quick.
// Any thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

// npm, pnpm, yarn or bun. The option `packagemanager` decides; else a package.yaml means pnpm. Else
// $PULUMI_PREFER_YARN or a lock file in the folder or above it decides, if PATH has that manager; else npm. The error
// says what is missing.
Result<std::string> ChooseNodePackageManager(const std::string& folder, const RuntimeOptions& options);

// The folder of the workspace (of npm, yarn or pnpm) that the package in or above `folder` is a member of; "" if it is
// of none.
std::string NodeWorkspaceRoot(const std::string& folder);

struct NodeInstallation {
  std::string folder;             // of the workspace, else of the program
  std::vector<std::string> argv;  // empty: there is nothing to install
};
Result<NodeInstallation> InstallationOfNodePackages(const std::string& folder, const RuntimeOptions& options);

}  // namespace kingpost
