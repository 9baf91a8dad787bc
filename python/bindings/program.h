// SPDX-License-Identifier: Apache-2.0
// The program: a Python callable that declares resources with the SDK, on a daemon thread of Python in this process.
#pragma once

#include "wire/wire.h"

#include <functional>
#include <memory>

#include "bindings/call.h"
#include "kingpost/plugin_host.h"
#include "wire/grpc_host.h"

namespace kingpost::python {

// bridge: a kingpost._bridge.ProgramBridge, told the addresses, which are asked for when the program starts. Its thread
// may go on after the operation, if the program ignores a cancellation.
LanguageHostPtr NewPythonProgram(Loop& loop, PythonCalls& calls, SharedObject bridge,
                                 std::function<Result<ProgramAddresses>()> addresses);

}  // namespace kingpost::python
