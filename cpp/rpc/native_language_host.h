// Runs Python and Node.js programs without a language host between: finds the interpreter, starts it on the program
// with what the SDK wants to know, passes its output on and reads its exit code (rows b.1 and b.3). Loop thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "rpc/language_host.h"
#include "rpc/plugin_process.h"
#include "rpc/script_runtimes.h"

namespace kingpost {

bool IsNativeRuntime(const std::string& runtime);  // "python", "nodejs"
LanguageHostPtr NativeHost(Loop& loop, LanguageHostOptions options);

// What one run is told.
struct ProgramRun {
  RunRequest request;
  std::string monitor_address, engine_address;
  std::string root_folder, program_folder, entry_point;
  RuntimeOptions options;
  std::map<std::string, std::string> environment;  // over ours
};

// The command that runs the program, or the reason why there is none.
Result<ProcessSpec> LaunchPython(const ProgramRun& run);
Result<ProcessSpec> LaunchNode(const ProgramRun& run);
// The type checker that the options ask for, to be run first; nullopt if none.
Result<std::optional<ProcessSpec>> LaunchTypeChecker(const ProgramRun& run);

// The additions to a program's environment, with the passphrase of the stack's secrets if we have one. Plugins do not
// get it, but the program is the user's own, and may run stacks itself.
std::map<std::string, std::string> ForProgram(std::map<std::string, std::string> additions);

bool Killed(const ProcessExit& exit);  // by a signal
// The end of a program as a RunResponse. `errors` is the tail of its standard error.
RunResponse PythonEnd(const ProcessExit& exit);
RunResponse NodeEnd(const ProcessExit& exit, const std::string& errors);

// The runtime's options as text; lists and objects as JSON.
RuntimeOptions OptionTexts(const nlohmann::json& options);

// The program that Python is started with: it sets the SDK up and runs the user's. A text of its own, so that the
// command needs no file beside it.
extern const char kPythonProgram[];

}  // namespace kingpost
