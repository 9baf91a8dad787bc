// SPDX-License-Identifier: Apache-2.0
// The part of a language host that differs by language, for programs that we run ourselves (row 9.7): one Runtime for
// each, in a file of its own. What all have in common is in native_language_host.cc:
//
//     accelerators ─▶ Prepare ─▶ debugger ─▶ Launch ─▶ the program runs ─▶ End
//
// Loop thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "processes/private_folder.h"
#include "processes/program_runner.h"
#include "runtimes/language_host.h"
#include "runtimes/script_runtimes.h"
#include "runtimes/standby_program.h"

namespace kingpost {

// The input of one run.
struct ProgramRun {
  RunRequest request;
  std::string monitor_address, engine_address;
  std::string root_folder, program_folder, entry_point;
  RuntimeOptions options;
  std::map<std::string, std::string> environment;  // over ours
  std::string accelerators;                        // the folder that they are in (runtimes/accelerators.h); "" for none
  bool wants_debug_messages = false;
  Debugger debugger;                             // to start it under, if its port is not 0
  std::string executable;                        // that Prepare has found or built
  std::shared_ptr<const void> temporary_folder;  // goes with a program that was built for this run alone
};

// The surroundings of a runtime. All of it outlives the runtime.
struct RuntimeTools {
  const LanguageHostOptions& options;
  WorkerPool& pool;
  ProgramRunner& runner;
};

class Runtime {
 public:
  explicit Runtime(RuntimeTools tools) : tools_(tools) {}
  virtual ~Runtime() = default;
  Runtime(const Runtime&) = delete;

  // That the program's dependencies bring.
  virtual Task<Result<std::vector<RequiredPackage>>> RequiredPackages() = 0;
  // To start the program under.
  virtual Result<Debugger> MakeDebugger() const = 0;
  // Its SDK can be made quicker.
  virtual bool accelerates() const { return false; }
  // Whatever comes before the program is started: types are checked, it is built. What the program's author has to mend
  // is in the response.
  virtual Task<Result<RunResponse>> Prepare(ProgramRun*) { co_return RunResponse(); }
  // The command that runs the program, or the reason why there is none.
  virtual Result<ProcessSpec> Launch(const ProgramRun& run) const = 0;
  // The meaning of the program's end. `errors` is the tail of its standard error.
  virtual RunResponse End(const ProcessExit& exit, const std::string& errors) const = 0;

 protected:
  const RuntimeTools tools_;
};

std::unique_ptr<Runtime> NewPythonRuntime(RuntimeTools tools);
std::unique_ptr<Runtime> NewNodeRuntime(RuntimeTools tools);
std::unique_ptr<Runtime> NewGoRuntime(RuntimeTools tools);

// The result of BeginProgram (runtimes/standby_program.h). `accelerators` is their folder, or "".
std::optional<StandbySpec> BeginPython(const Project& project, const std::string& accelerators);
std::optional<StandbySpec> BeginPythonForks(const Project& project, const std::string& accelerators);
std::optional<StandbySpec> BeginNode(const Project& project, const std::string& accelerators);

// ---- what they share ------------------------------------------------------------------------------------------------

RunResponse FailedRun(std::string error);

// Adds --name value, unless the value is empty.
void AddFlag(const std::string& name, const std::string& value, std::vector<std::string>* argv);

// The additions to a program's environment, with the passphrase of the stack's secrets if we have one. Plugins do not
// get it, but the program is the user's own, and may run stacks itself.
std::map<std::string, std::string> ForProgram(std::map<std::string, std::string> additions);

bool Killed(const ProcessExit& exit);  // by a signal
// How the programs of SDKs say that the user has been told what is wrong.
inline constexpr int kErrorAlreadyReported = 32;
// The meaning of a program's end in most languages. `start_problem` begins the message about one that could not be
// started.
RunResponse ProgramEnd(const ProcessExit& exit, const std::string& start_problem);

// The program that Python is started with: it sets the SDK up and runs the user's. A text of its own, so that the
// command needs no file beside it.
extern const char kPythonProgram[];

}  // namespace kingpost
