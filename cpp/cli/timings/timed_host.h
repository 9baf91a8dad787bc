// SPDX-License-Identifier: Apache-2.0
// A plugin host and a recorder that time the work passing through them (--timings). They time every call of a
// provider, every request of the program, every saved entry, the start of plugins, and the program's life. Stands
// between the engine and the real ones, so that the engine knows nothing of it and an operation without --timings pays
// nothing. Loop thread.
#pragma once

#include <memory>

#include "cli/timings/timings.h"
#include "kingpost/engine.h"
#include "kingpost/plugin_host.h"

namespace kingpost {

// `timings` must outlive the host.
std::unique_ptr<PluginHost> TimeHost(std::unique_ptr<PluginHost> host, Timings* timings);

class TimedRecorder final : public Recorder {
 public:
  TimedRecorder(Recorder* recorder, Timings* timings) : recorder_(recorder), timings_(timings) {}
  Task<Status> Append(JournalEntry entry) override;

 private:
  Recorder* const recorder_;
  Timings* const timings_;
};

}  // namespace kingpost
