// SPDX-License-Identifier: Apache-2.0
// Refreshes without a program: what the providers say is there, before anything else happens (rows 6.4, 3.46), or
// after a program that registered only some resources (row 6.7). Engine thread.
#pragma once

#include "engine/executor.h"

namespace kingpost::engine {

class RefreshPhase {
 public:
  RefreshPhase(const RunParts& parts, Executor& executor) : parts_(parts), executor_(executor) {}

  // Before the program. `flagged_only`: only resources that asked for it. All steps run even if some fail.
  Task<Status> BeforeProgram(bool flagged_only);
  // After a program that ran in refresh mode: what it did not register.
  Task<Status> AfterProgram();

 private:
  Task<Status> MakeSteps(std::vector<StatePtr> wanted, std::vector<decisions::StepPtr>* steps);
  Task<void> RunAll(const std::vector<decisions::StepPtr>* steps);
  Task<void> RunOne(decisions::StepPtr step);
  void Rebuild(const std::vector<decisions::StepPtr>& steps);

  const RunParts parts_;
  Executor& executor_;
};

}  // namespace kingpost::engine
