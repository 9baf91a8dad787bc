// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/early_processes.h"

#include "processes/process_supervisor.h"
#include "runtimes/standby_program.h"

namespace kingpost {

EarlyProcesses EarlyProcesses::Start(Session& session, const OperationFlags& flags,
                                     std::shared_ptr<ProcessSupervisor> supervisor) {
  EarlyProcesses early;
  const bool runs_program = flags.kind == OperationKind::kUpdate || flags.run_program;
  if (!runs_program || !flags.client.empty() || !flags.attach_debugger.empty() || !session.has_project()) return early;
  const Result<const Project*> project = session.project();
  if (!project.ok() || !CanBeginProgram(**project)) return early;
  Result<std::shared_ptr<ProcessSupervisor>> started(std::move(supervisor));
  if (!*started) started = ProcessSupervisor::Start();
  if (!started.ok()) return early;
  early.supervisor = std::move(*started);
  early.standby = StartStandbyProgram(early.supervisor, **project);
  return early;
}

}  // namespace kingpost
