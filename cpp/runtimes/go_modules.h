// SPDX-License-Identifier: Apache-2.0
// The modules that a Go program's go.mod requires, where they are on this machine; asks `go`. Loop thread.
#pragma once

#include <vector>

#include "runtimes/package_scan.h"
#include "runtimes/runtime.h"

namespace kingpost {

// Missing modules are downloaded. Empty for a program that uses no modules, or whose modules Go cannot list. The
// tools outlive the task.
Task<std::vector<GoModule>> FindGoModules(RuntimeTools tools);

}  // namespace kingpost
