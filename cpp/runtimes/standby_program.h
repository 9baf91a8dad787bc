// SPDX-License-Identifier: Apache-2.0
// A program's interpreter that is started before its run is known: it imports the SDK, and then waits for what the run
// tells it. A process of its own for each run. Where the run turns out to need another interpreter, environment or
// folder, or the SDK has changed meanwhile, the ordinary start is used.
//
// Where there will be several runs, a Python interpreter forks for each (processes/fork_server.h). Node.js has threads
// before it has a program, and a fork would lack them.
//
// A Python interpreter looks itself whether packages were installed meanwhile. Node.js cannot start over in its own
// process, so HandOver looks.
//
//     BeginProgram ─▶ StandbyProcess ┄┄ imports ┄┄▶ waits ─▶ HandOver ─▶ the program runs
//
// Looks at files; quick. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "processes/fork_server.h"
#include "processes/standby_process.h"
#include "runtimes/accelerators.h"
#include "workspace/project.h"

namespace kingpost {

struct StandbySpec {
  ProcessSpec process;
  size_t shared_arguments = 0;  // the first of its arguments, which the run's own command has, too
  std::string next_argument;    // of the run's own command, after the shared ones; "" for any
  bool any_folder = false;      // it goes to that of the run
  std::string named;            // its executable in the run's own command; "" if that is the same
  // Files and folders that change when other packages are installed, and their stamps at the start. Empty if the
  // process looks itself.
  std::vector<std::string> packages;
  std::string stamps;
};

// Whether there is anything to begin: the program needs an interpreter, and we run it ourselves.
bool CanBeginProgram(const Project& project);

// The stamps of all these (base/file_stamp.h).
std::string StampsOf(const std::vector<std::string>& paths);

// How its interpreter can be started before the run is known; nothing where it cannot.
std::optional<StandbySpec> BeginProgram(const Project& project, const Accelerators& accelerators);

// The message that makes a standby process the run of `launch`; nothing if it cannot.
std::optional<std::string> HandOver(const StandbySpec& standby, const ProcessSpec& launch);

// The same of one that will fork: the run may be in any folder.
std::optional<StandbySpec> BeginForks(const Project& project, const Accelerators& accelerators);

// One that has been started: for one run, which takes it out of here.
struct StandbyProgram {
  StandbySpec spec;
  std::shared_ptr<StandbyProcess> process;  // null if there is a server
  std::shared_ptr<ForkServer> server;
  Accelerators accelerators;  // which it reads while it gets ready

  bool waits() const;  // it has not ended
};

// Null where nothing can be begun, for whatever reason: the ordinary start tells what is wrong. For a run that another
// will follow there is a server, where there can be one.
std::shared_ptr<StandbyProgram> StartStandbyProgram(const std::shared_ptr<ProcessSupervisor>& supervisor,
                                                    const Project& project, bool another_follows);
std::shared_ptr<StandbyProgram> StartForks(const std::shared_ptr<ProcessSupervisor>& supervisor, StandbySpec spec,
                                           const Accelerators& accelerators);

// A plugin runs programs in that language, not this command itself.
bool WantsLanguagePlugin(const Project& project);

}  // namespace kingpost
