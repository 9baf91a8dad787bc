// SPDX-License-Identifier: Apache-2.0
// Runs Python, Node.js and Go programs without a language host between: finds the interpreter or the compiler, starts
// the program with what the SDK wants to know, passes its output on and reads its exit code (row 9.7). Loop thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rpc/language_host.h"
#include "rpc/plugin_process.h"
#include "rpc/script_runtimes.h"

namespace kingpost {

bool IsNativeRuntime(const std::string& runtime);  // "python", "nodejs", "go"
LanguageHostPtr NativeHost(Loop& loop, LanguageHostOptions options);
LanguageHostPtr ScriptHost(Loop& loop, LanguageHostOptions options);  // Python and Node.js
LanguageHostPtr GoHost(Loop& loop, LanguageHostOptions options);

// What one run is told.
struct ProgramRun {
  RunRequest request;
  std::string monitor_address, engine_address;
  std::string root_folder, program_folder, entry_point;
  RuntimeOptions options;
  std::map<std::string, std::string> environment;  // over ours
  std::string accelerators;                        // the folder that they are in (rpc/accelerators.h); "" for none
  bool wants_debug_messages = false;
  Debugger debugger;  // to start it under, if its port is not 0
};
ProgramRun PrepareRun(const LanguageHostOptions& options, RunRequest request);

// Adds --name value, unless the value is empty.
void AddFlag(const std::string& name, const std::string& value, std::vector<std::string>* argv);

// The command that runs the program, or the reason why there is none.
Result<ProcessSpec> LaunchPython(const ProgramRun& run);
Result<ProcessSpec> LaunchNode(const ProgramRun& run);
// `argv` is the program itself, built before.
ProcessSpec LaunchGo(const ProgramRun& run, std::vector<std::string> argv);
// The type checker that the options ask for, to be run first; nullopt if none.
Result<std::optional<ProcessSpec>> LaunchTypeChecker(const ProgramRun& run);
// The Go compiler, which leaves the program at `target`.
Result<ProcessSpec> LaunchGoBuild(const ProgramRun& run, const std::string& target);

// The options of `runtime: {name: go, options: ...}`; at most one of them is set.
struct GoOptions {
  std::string binary;        // a program that is built already: a file, or a name on PATH
  std::string build_target;  // where to leave the program that is built, instead of a temporary file
};
Result<GoOptions> ReadGoOptions(const nlohmann::json& options);
// The file that the option `binary` names.
Result<std::string> FindGoBinary(const std::string& name, const std::string& program_folder);

// The additions to a program's environment, with the passphrase of the stack's secrets if we have one. Plugins do not
// get it, but the program is the user's own, and may run stacks itself.
std::map<std::string, std::string> ForProgram(std::map<std::string, std::string> additions);

bool Killed(const ProcessExit& exit);  // by a signal
// How the programs of SDKs say that the user has been told what is wrong.
inline constexpr int kUserHasBeenTold = 32;
// What the end of a program means. `start_problem` begins the message about one that could not be started.
RunResponse ProgramEnd(const ProcessExit& exit, const std::string& start_problem);
// `response`, unless the program ended as if all were well before its SDK had registered everything (`exit(0)` on the
// way): what it did not come to would be taken for removed from it, and deleted.
RunResponse UnlessIncomplete(const LanguageHostOptions& options, RunResponse response);
// The end of a program as a RunResponse. `errors` is the tail of its standard error.
RunResponse PythonEnd(const ProcessExit& exit);
RunResponse NodeEnd(const ProcessExit& exit, const std::string& errors);
RunResponse GoEnd(const ProcessExit& exit);

// The program that Python is started with: it sets the SDK up and runs the user's. A text of its own, so that the
// command needs no file beside it.
extern const char kPythonProgram[];

}  // namespace kingpost
