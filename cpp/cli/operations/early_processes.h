// SPDX-License-Identifier: Apache-2.0
// What a run of the engine can begin before it is known in full: the program's interpreter, which imports its SDK while
// the state is loaded and the key derived, and providers of the last run, which come up while it does (runtimes/
// standby_program.h, PackageHost::ExpectProviders). For one run; whatever it does not use ends with it.
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
struct ProcessHostOptions;
struct StandbyProgram;

struct EarlyProcesses {
  std::shared_ptr<ProcessSupervisor> supervisor;  // null: the run starts its own
  std::shared_ptr<StandbyProgram> standby;        // null: there is nothing to begin
  // The providers that the run will most likely use; nullopt: those that its base records.
  std::optional<std::vector<ProviderSpec>> providers;
  // Who makes the host of the run, with what it needs; null: it is made for this run alone, with what is above.
  std::function<Result<std::unique_ptr<PluginHost>>(const Project& project, const ProcessHostOptions& wanted)>
      make_host;

  // Starts the interpreter, which does nothing but import: before the stack is held, too. Where it cannot be started
  // this early, nothing is said: the run meets the same, and tells.
  static EarlyProcesses Start(Session& session, const OperationFlags& flags);
};

}  // namespace kingpost
