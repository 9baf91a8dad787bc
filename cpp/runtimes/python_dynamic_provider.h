// SPDX-License-Identifier: Apache-2.0
// The process behind the dynamic providers of the Python SDK: `python -m pulumi.dynamic`.
#pragma once

#include <string>
#include <vector>

namespace kingpost {

// `accelerators` is the folder that they are in (runtimes/accelerators.h), or "": with them the SDK does not load its
// Automation API, which is a quarter of the time that this process takes to start.
std::vector<std::string> PythonDynamicProvider(const std::string& python, const std::string& accelerators,
                                               const std::string& engine_address);

}  // namespace kingpost
