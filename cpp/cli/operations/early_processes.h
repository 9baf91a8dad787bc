// SPDX-License-Identifier: Apache-2.0
// Processes that a run starts before all its data is known (runtimes/standby_program.h, PackageHost::ExpectProviders).
// The program's interpreter imports its SDK while the command loads the state and derives the key. Meanwhile the
// providers of the last run start. For one run; unused processes end with it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cli/operations/operation_flags.h"
#include "cli/session/session.h"
#include "kingpost/plugin_host.h"
#include "model/provider_spec.h"

namespace kingpost {

class ProcessSupervisor;
class ProgramForks;
struct ProcessHostOptions;
struct StandbyProgram;

struct EarlyProcesses {
  std::shared_ptr<ProcessSupervisor> supervisor;  // null: the run starts its own
  std::shared_ptr<StandbyProgram> standby;        // null: there is nothing to begin
  // The providers that the run will most likely use; nullopt: those that its base records.
  std::optional<std::vector<ProviderSpec>> providers;
  // The maker of the run's host, with its input; null: the host is made for this run alone, with the members above.
  std::function<Result<std::unique_ptr<PluginHost>>(const Project& project, const ProcessHostOptions& wanted)>
      make_host;

  // Starts the interpreter, which does nothing but import: before the stack is held, too. Where it cannot be started
  // this early, nothing is said: the run meets the same, and tells.
  static EarlyProcesses Start(Session& session, const OperationFlags& flags);
  // The same for the update after its preview, which no other run follows. `supervisor` may be null.
  static EarlyProcesses StartForUpdate(Session& session, const OperationFlags& flags,
                                       std::shared_ptr<ProcessSupervisor> supervisor);
  // The interpreter once more, if it forks; null if not.
  std::shared_ptr<StandbyProgram> ForkAgain() const;
  // For a run that is one of many: the interpreter is a fork of one that they share. `forks` may be null.
  static EarlyProcesses Fork(const OperationFlags& flags, ProgramForks* forks, const Project& project);
};

}  // namespace kingpost
