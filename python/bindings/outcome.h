// SPDX-License-Identifier: Apache-2.0
// The result of an operation as Python objects: a dict from which kingpost/result.py makes a Result. Needs the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include "bindings/run.h"

namespace kingpost::python {

enum class StepEnd { kWell, kAwaited, kFailed };  // a step that goes on counts as well

pybind11::dict DescribeOutcome(const RunOutcome& outcome);
pybind11::dict DescribeStep(const StepMetadata& metadata, StepEnd end);
pybind11::list DescribeResources(const Snapshot& snapshot);
pybind11::dict RecordedOutputs(const Snapshot& snapshot);  // of the root stack

}  // namespace kingpost::python
