// SPDX-License-Identifier: Apache-2.0
// A state store written in Python (kingpost.StateStore): its objects are a bucket, over which the engine's own store of
// buckets keeps stacks, locks and journals.
#pragma once

#include <memory>

#include "bindings/python_object.h"
#include "kingpost/state_store.h"

namespace kingpost::python {

// bridge: a kingpost._store_bridge.StateStoreBridge.
Result<std::shared_ptr<StateStore>> OpenPythonStore(SharedObject bridge);

}  // namespace kingpost::python
