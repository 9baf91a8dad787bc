// SPDX-License-Identifier: Apache-2.0
// A pack of policies written in Python behind the engine's seam. Loop thread.
#pragma once

#include <string>

#include "bindings/call.h"
#include "kingpost/analyzer.h"

namespace kingpost::python {

// bridge: a kingpost._bridge.PolicyBridge. The calls outlive the analyzer.
AnalyzerPtr NewPythonAnalyzer(PythonCalls& calls, SharedObject bridge, std::string name, double timeout_s);

}  // namespace kingpost::python
