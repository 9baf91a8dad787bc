// SPDX-License-Identifier: Apache-2.0
// An operation that changes a stack, for the command and the Python module:
//
//     journal ─▶ run ─▶ checkpoint, journal removed ─▶ history ─▶ backup ─▶ reasons ─▶ lock released
//
// Its record is finished whatever comes of the run. Blocking; the calling thread is the engine thread meanwhile.
#pragma once

#include <functional>

#include "base/loop.h"
#include "operation/history_record.h"
#include "operation/loaded_operation.h"
#include "operation/reason_log.h"

namespace kingpost {

struct JournaledRun {
  // Runs the engine on the loop, with everything that watches it. What it returns stays until the driver is done.
  std::function<const OperationResult&(Recorder* recorder)> run;
  // Called once the state is safe, so that a caller that looks up a commit first delays nothing else.
  std::function<HistoryFacts()> facts;
  // Has heard the events of the run, for 'kingpost why'; null if nobody asks.
  const ReasonLog* reasons = nullptr;
};

// Beside the status of the run.
struct RunEndStatus {
  Status recorded;  // could not be saved: what the user has to know, even if the run failed too
  Status released;
};

// The stack is held. `loop` outlives the call: the journal's writer posts to it.
RunEndStatus RunJournaled(Loop& loop, LoadedOperation* loaded, const JournaledRun& real);

}  // namespace kingpost
