// SPDX-License-Identifier: Apache-2.0
// Events as Python objects: dicts from which kingpost/events.py makes Events.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "kingpost/event.h"

namespace kingpost::python {

// The events that Python gets. Needs the GIL.
pybind11::list DescribeEvents(const std::vector<EngineEvent>& events);

}  // namespace kingpost::python
