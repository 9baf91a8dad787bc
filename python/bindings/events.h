// SPDX-License-Identifier: Apache-2.0
// Events as Python objects: dicts from which kingpost/events.py makes Events.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "bindings/python_object.h"
#include "kingpost/event.h"

namespace kingpost::python {

// tell(events, ended), unless Python has gone. Takes the GIL.
void TellEvents(const SharedObject& tell, const std::vector<EngineEvent>& events, bool ended);

}  // namespace kingpost::python
