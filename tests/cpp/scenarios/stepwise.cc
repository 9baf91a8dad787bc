// SPDX-License-Identifier: Apache-2.0
#include "scenarios/stepwise.h"

namespace kingpost::scenarios {

namespace {

Task<void> RunInto(Loop& loop, Operation operation, std::optional<OperationResult>* result) {
  Task<OperationResult> running = RunOperation(loop, std::move(operation));
  result->emplace(co_await std::move(running));
}

}  // namespace

std::optional<OperationResult> RunStepwise(Loop& loop, Operation operation,
                                           const std::function<bool(bool running)>& proceed) {
  std::optional<OperationResult> result;
  loop.Spawn(RunInto(loop, std::move(operation), &result));
  do {
    loop.RunUntilIdle();
  } while (proceed(!result));
  return result;
}

}  // namespace kingpost::scenarios
