// SPDX-License-Identifier: Apache-2.0
// The loop around an evaluation that may need something from outside. Engine thread.
#pragma once

#include <functional>

#include "base/task.h"
#include "languages/pcl/evaluator.h"

namespace kingpost::pcl {

using Compute = std::function<Status(Evaluator*)>;
using Perform = std::function<Task<Result<EffectAnswer>>(Effect)>;

// Computes, and again after each effect that it asks for. What all three refer to outlives the task.
Task<Status> Settle(const EvaluationContext& around, Compute compute, Perform perform);

}  // namespace kingpost::pcl
