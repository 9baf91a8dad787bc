// SPDX-License-Identifier: Apache-2.0
#include "cli/operations/early_processes.h"

#include "processes/process_supervisor.h"
#include "runtimes/program_forks.h"
#include "runtimes/standby_program.h"

namespace kingpost {

namespace {

// Neither elsewhere nor under a debugger.
bool RunsProgramHere(const OperationFlags& flags) {
  const bool runs_program = flags.kind == OperationKind::kUpdate || flags.run_program;
  return runs_program && flags.client.empty() && flags.attach_debugger.empty();
}

EarlyProcesses Begin(Session& session, const OperationFlags& flags, std::shared_ptr<ProcessSupervisor> supervisor,
                     bool another_follows) {
  EarlyProcesses early;
  if (!RunsProgramHere(flags) || !session.has_project()) return early;
  const Result<const Project*> project = session.project();
  if (!project.ok() || !CanBeginProgram(**project)) return early;
  Result<std::shared_ptr<ProcessSupervisor>> started(std::move(supervisor));
  if (!*started) started = ProcessSupervisor::Start();
  if (!started.ok()) return early;
  early.supervisor = std::move(*started);
  early.standby = StartStandbyProgram(early.supervisor, **project, another_follows);
  return early;
}

}  // namespace

EarlyProcesses EarlyProcesses::Start(Session& session, const OperationFlags& flags) {
  const bool update_follows = !flags.is_preview_command && !flags.preview_only && !flags.skip_preview;
  return Begin(session, flags, nullptr, update_follows);
}

EarlyProcesses EarlyProcesses::StartForUpdate(Session& session, const OperationFlags& flags,
                                              std::shared_ptr<ProcessSupervisor> supervisor) {
  return Begin(session, flags, std::move(supervisor), false);
}

std::shared_ptr<StandbyProgram> EarlyProcesses::ForkAgain() const {
  return standby && standby->server ? std::make_shared<StandbyProgram>(*standby) : nullptr;
}

EarlyProcesses EarlyProcesses::Fork(const OperationFlags& flags, ProgramForks* forks, const Project& project) {
  EarlyProcesses early;
  if (forks && RunsProgramHere(flags)) early.standby = forks->Begin(project);
  return early;
}

}  // namespace kingpost
