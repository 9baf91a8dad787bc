// The program: a Python callable that declares resources with the SDK, on a thread of its own in this process.
#pragma once

#include "rpc/wire.h"

#include <functional>
#include <memory>

#include "base/loop.h"
#include "bindings/python_object.h"
#include "kingpost/plugin_host.h"
#include "rpc/grpc_host.h"

namespace kingpost::python {

// bridge: a kingpost._bridge.ProgramBridge, told the addresses, which are asked for when the program starts. The loop
// is kept until the thread ends, which may be later than the operation if the program ignores a cancellation.
LanguageHostPtr NewPythonProgram(std::shared_ptr<Loop> loop, SharedObject bridge,
                                 std::function<Result<ProgramAddresses>()> addresses);

}  // namespace kingpost::python
