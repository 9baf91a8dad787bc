// SPDX-License-Identifier: Apache-2.0
// The process behind the dynamic providers of the Python SDK: `python -m pulumi.dynamic`.
#pragma once

#include <string>
#include <vector>

namespace kingpost {

// Returns the command line. `accelerators` is their folder (runtimes/accelerators.h), or "". With them the SDK does not
// load its Automation API, which takes a quarter of the start of this process.
std::vector<std::string> PythonDynamicProvider(const std::string& python, const std::string& accelerators,
                                               const std::string& engine_address);

}  // namespace kingpost
