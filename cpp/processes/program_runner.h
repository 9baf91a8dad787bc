// SPDX-License-Identifier: Apache-2.0
// Runs the processes of a native language host (a type checker, a compiler, the program) one after another, each to its
// end. Stops the running one when the operation is cancelled. Loop thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "base/loop.h"
#include "processes/plugin_process.h"
#include "processes/standby_process.h"

namespace kingpost {

class ProgramRunner {
 public:
  using LineHandler = std::function<void(OutputStream stream, std::string line)>;

  // Appends what comes on standard output, line by line. *text outlives the task.
  static LineHandler CollectOutput(std::string* text);

  // `name` is for messages: "python (program)".
  ProgramRunner(Loop& loop, std::shared_ptr<ProcessSupervisor> supervisor, std::string name)
      : loop_(loop), supervisor_(std::move(supervisor)), name_(std::move(name)) {}

  // The runner outlives the task. Fails if no process could be made at all. *errors, if not null, is the tail of
  // standard error.
  Task<Result<ProcessExit>> RunToEnd(ProcessSpec spec, LineHandler on_line, std::string* errors);
  // The same with a process that waits for that message. The pool outlives the task; one of its threads tells it.
  Task<Result<ProcessExit>> RunStandby(std::shared_ptr<StandbyProcess> standby, std::string message, WorkerPool* pool,
                                       LineHandler on_line, std::string* errors);
  // Ends what runs; nothing is started any more.
  Task<void> Cancel();
  bool cancelled() const { return cancelled_; }  // any thread

 private:
  PluginProcessOptions OptionsFor(LineHandler on_line, std::string* errors) const;
  Task<ProcessExit> WaitForEnd();

  Loop& loop_;
  const std::shared_ptr<ProcessSupervisor> supervisor_;
  const std::string name_;
  std::shared_ptr<PluginProcess> process_;  // while something runs
  std::atomic<bool> cancelled_{false};
};

}  // namespace kingpost
