// SPDX-License-Identifier: Apache-2.0
// The Pulumi packages that a program's dependencies bring, read from the installed files: no pip, no node, no go is
// started (rows 2.11, 9.7). Reads a few hundred small files: on a worker thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "kingpost/plugin_host.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

// PACKAGE/pulumi-plugin.json of what the program's Python can import: in its site-packages, those of the system where
// a virtual environment includes them, and the sources of editable installations. The nearer of two packages of one
// name hides the farther one. `folder` is the project's.
Result<std::vector<RequiredPackage>> ScanPythonPackages(const RuntimeOptions& options, const std::string& folder);

// The `pulumi` entry of package.json files: of all packages in the program's own node_modules. Farther up (in a
// workspace, for example) only packages count that the program or a counted package depends on. By Node's rule the
// nearest package of a name is meant. `folder` is the program's.
Result<std::vector<RequiredPackage>> ScanNodePackages(const std::string& folder);

struct GoModule {
  std::string path, version;  // "github.com/pulumi/pulumi-aws/sdk/v6", "v6.1.0"
  std::string folder;         // of its source; "" if that is not at hand
};
// pulumi-plugin.json of the modules. What is wrong in one of them makes it no Pulumi package.
std::vector<RequiredPackage> ScanGoPackages(const std::vector<GoModule>& modules);

}  // namespace kingpost
