// One run of the engine, as a preview or for real, with everything that watches it.
#pragma once

#include <string>

#include "base/loop.h"
#include "cli/display/progress.h"
#include "cli/operation_setup.h"
#include "kingpost/engine.h"

namespace kingpost {

struct RunOutcome {
  OperationResult result;
  bool terminated = false;  // by a second signal
  std::string first_error;  // that belongs to no resource; "" if there was none
};

// recorder: null for previews. details: also told of the steps, if not null.
RunOutcome RunOnce(Session& session, const OperationFlags& flags, const OperationSetup& setup, bool preview, Loop& loop,
                   Recorder* recorder, EventSink* details);

DisplayOptions DisplayOf(const Session& session, const OperationFlags& flags, const OperationSetup& setup,
                         bool preview);

}  // namespace kingpost
