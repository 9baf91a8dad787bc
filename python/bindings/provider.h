// SPDX-License-Identifier: Apache-2.0
// A provider written in Python (kingpost.Provider) behind the engine's seam.
#pragma once

#include "base/loop.h"
#include "bindings/python_object.h"
#include "kingpost/provider.h"

namespace kingpost::python {

// bridge: a kingpost._bridge.ProviderBridge. The pool must outlive the provider.
ProviderPtr NewPythonProvider(WorkerPool& pool, SharedObject bridge, std::string package);

}  // namespace kingpost::python
