// SPDX-License-Identifier: Apache-2.0
// Deletes what is left over once the program has registered everything. What goes, and in which order, is decided in
// decisions/delete_choice.h and decisions/deletes.h. Engine thread.
#pragma once

#include "decisions/deletes.h"
#include "engine/executor.h"
#include "engine/step_gate.h"

namespace kingpost::engine {

class DeletePhase {
 public:
  DeletePhase(const RunParts& parts, StepGate& gate, Executor& executor)
      : parts_(parts), rows_(parts.run.rows()), gate_(gate), executor_(executor) {}

  // Chooses and runs the deletes; none, but a failure, where the program did not come to register `missing`. A failed
  // Status has not been reported, unless it is a bail.
  Task<Status> Run(const std::string& missing);

 private:
  struct Progress;  // of the running deletes

  // Resources that the program did not reach would look as if they had been removed from it.
  Status RefuseIncomplete(const std::string& missing, const decisions::Deletes& deletes);
  Task<Status> AllowCondemnedDependents(decisions::DeleteChoice* choice);
  Task<Status> EnsureProviders(const decisions::Deletes& deletes);
  Status Admit(const decisions::Deletes& deletes);
  Task<void> RunDeletes(Progress* progress);
  Task<void> RunOne(int index, Progress* progress);

  const RunParts parts_;
  decisions::Rows& rows_;
  StepGate& gate_;
  Executor& executor_;
};

}  // namespace kingpost::engine
