// SPDX-License-Identifier: Apache-2.0
// The program: a Python callable that declares resources with the SDK, on a daemon thread of Python in this process.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bindings/call.h"
#include "kingpost/plugin_host.h"

namespace kingpost::python {

// bridge: a kingpost._bridge.ProgramBridge, told the address of the engine (direct_line.h), which is asked for when the
// program starts. Its thread may go on after the operation, if the program ignores a cancellation.
LanguageHostPtr NewPythonProgram(Loop& loop, PythonCalls& calls, SharedObject bridge,
                                 std::function<std::string()> address);

}  // namespace kingpost::python
