// SPDX-License-Identifier: Apache-2.0
// A policy written as a Python callable behind the engine's seam: a pack of one policy, called with the inputs of each
// resource.
#pragma once

#include "base/loop.h"
#include "bindings/python_object.h"
#include "kingpost/analyzer.h"

namespace kingpost::python {

// bridge: a kingpost._bridge.PolicyBridge. The pool must outlive the analyzer.
AnalyzerPtr NewPythonAnalyzer(WorkerPool& pool, SharedObject bridge, std::string name);

}  // namespace kingpost::python
