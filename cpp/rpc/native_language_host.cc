// SPDX-License-Identifier: Apache-2.0
#include "rpc/native_language_host.h"

#include <signal.h>
#include <sys/wait.h>

#include "rpc/accelerators.h"
#include "rpc/package_scan.h"
#include "rpc/program_runner.h"

namespace kingpost {

namespace {

class ScriptLanguageHost final : public LanguageHost, public std::enable_shared_from_this<ScriptLanguageHost> {
 public:
  ScriptLanguageHost(Loop& loop, LanguageHostOptions options)
      : loop_(loop),
        options_(std::move(options)),
        is_python_(options_.project.runtime == "python"),
        pool_(loop, 1),
        runner_(loop, options_.supervisor, options_.project.runtime + " (program)") {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    auto self = shared_from_this();
    auto scan = [python = is_python_, runtime = OptionTexts(options_.project.runtime_options),
                 root = options_.project.folder(), program = options_.project.ProgramFolder()] {
      return python ? ScanPythonPackages(runtime, root) : ScanNodePackages(program);
    };
    auto scanning = pool_.Run(scan);
    co_return co_await std::move(scanning);
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    auto self = shared_from_this();
    ProgramRun run = PrepareRun(options_, std::move(request));
    if (options_.debug_program) {
      Result<Debugger> debugger =
          is_python_ ? PythonDebugger("Pulumi: Program (Python)") : NodeDebugger("Pulumi: Program (nodejs)");
      if (!debugger.ok()) co_return Failed(debugger.status().message());
      run.debugger = std::move(*debugger);
    } else {  // who looks into a program wants to see the SDK as it is
      auto accelerating = Accelerate();
      run.accelerators = co_await std::move(accelerating);
    }
    auto checking = CheckTypes(run);
    const std::string type_errors = co_await std::move(checking);
    if (!type_errors.empty()) co_return Failed(type_errors);

    auto spec = is_python_ ? LaunchPython(run) : LaunchNode(run);
    if (!spec.ok()) co_return Failed(spec.status().message());
    std::string errors;
    auto ended = std::make_shared<bool>(false);
    Group telling(loop_);
    if (run.debugger.port != 0) {
      telling.Spawn(TellWhenListening(loop_, run.debugger, ended, options_.tell_debugger));
    }
    auto running = runner_.RunToEnd(*spec, LineLogger(options_.log), &errors);
    auto exit = co_await std::move(running);
    *ended = true;
    co_await telling.Wait();
    if (!exit.ok()) co_return exit.status();
    if (!exit->ok() && errors.find("No module named debugpy") != std::string::npos) {
      co_return Failed(
          "debugpy is not installed. Please add an entry for it to requirements.txt, and run `kingpost "
          "install`");
    }
    co_return UnlessIncomplete(options_, is_python_ ? PythonEnd(*exit) : NodeEnd(*exit, errors));
  }

  Task<void> Cancel() override {
    auto self = shared_from_this();
    auto cancelling = runner_.Cancel();
    co_await std::move(cancelling);
  }

 private:
  static RunResponse Failed(const std::string& error) {
    RunResponse response;
    response.error = error;
    return response;
  }

  // The folder that the accelerators are in; "" to go without.
  Task<std::string> Accelerate() {
    if (!WantsAccelerators()) co_return "";
    if (accelerators_.folder.empty()) {
      auto unpack = [guardian = options_.supervisor] { return UnpackAccelerators(guardian.get()); };
      auto unpacking = pool_.Run(unpack);
      accelerators_ = co_await std::move(unpacking);
    }
    co_return accelerators_.folder;
  }

  // What the type checker has against the program; "" if nothing or if none is asked for.
  Task<std::string> CheckTypes(const ProgramRun& run) {
    if (!is_python_) co_return "";
    auto spec = LaunchTypeChecker(run);
    if (!spec.ok()) co_return spec.status().message();
    if (!*spec) co_return "";
    std::string output;
    ProgramRunner::LineHandler collect = [&output](OutputStream, std::string line) { output += line + "\n"; };
    auto running = runner_.RunToEnd(**spec, collect, nullptr);
    auto exit = co_await std::move(running);
    if (!exit.ok()) co_return exit.status().message();
    if (exit->ok()) co_return "";
    const std::string checker = run.options.find("typechecker")->second;  // there is one, or nothing had run
    if (output.find("No module named") != std::string::npos) {
      co_return "The typechecker option is set to " + checker + ", but " + checker + " is not installed. Please add " +
          "an entry for it to requirements.txt and install the requirements";
    }
    co_return checker + " failed: " + exit->Describe() + "\n" + output;
  }

  Loop& loop_;
  const LanguageHostOptions options_;
  const bool is_python_;
  Accelerators accelerators_;
  WorkerPool pool_;
  ProgramRunner runner_;
};

}  // namespace

bool IsNativeRuntime(const std::string& runtime) {
  return runtime == "python" || runtime == "nodejs" || runtime == "go";
}

LanguageHostPtr NativeHost(Loop& loop, LanguageHostOptions options) {
  return options.project.runtime == "go" ? GoHost(loop, std::move(options)) : ScriptHost(loop, std::move(options));
}

LanguageHostPtr ScriptHost(Loop& loop, LanguageHostOptions options) {
  return std::make_shared<ScriptLanguageHost>(loop, std::move(options));
}

ProgramRun PrepareRun(const LanguageHostOptions& options, RunRequest request) {
  ProgramRun run;
  run.monitor_address = request.monitor_address;
  run.engine_address = options.engine_address;
  run.request = std::move(request);
  run.root_folder = options.project.folder();
  run.program_folder = options.project.ProgramFolder();
  run.entry_point = EntryPoint(options.project);
  run.options = OptionTexts(options.project.runtime_options);
  run.environment = options.environment;
  run.wants_debug_messages = options.wants_debug_messages;
  return run;
}

void AddFlag(const std::string& name, const std::string& value, std::vector<std::string>* argv) {
  if (value.empty()) return;
  argv->push_back("--" + name);
  argv->push_back(value);
}

bool Killed(const ProcessExit& exit) { return exit.start_error == 0 && WIFSIGNALED(exit.wait_status); }

RunResponse ProgramEnd(const ProcessExit& exit, const std::string& start_problem) {
  RunResponse response;
  if (exit.ok()) return response;
  if (exit.start_error != 0) {
    response.error = start_problem + ": " + exit.Describe();
  } else if (exit.code() == kUserHasBeenTold) {
    response.bail = true;
  } else if (Killed(exit)) {
    response.error = "program exited unexpectedly: " + exit.Describe();
  } else {
    response.error = "program exited with non-zero exit code: " + std::to_string(exit.code());
  }
  return response;
}

RunResponse UnlessIncomplete(const LanguageHostOptions& options, RunResponse response) {
  const bool well = response.error.empty() && !response.bail;
  const std::string missing = well && options.missing_registration ? options.missing_registration() : "";
  if (missing.empty()) return response;
  response.error = "the program ended before it had registered " + missing +
                   ", so nothing is deleted: what it did not come to would look as if it had been removed. Does it end "
                   "its own process, for example by exit(0)?";
  return response;
}

std::map<std::string, std::string> ForProgram(std::map<std::string, std::string> additions) {
  for (const char* name : {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"}) {
    if (const char* value = std::getenv(name)) additions.emplace(name, value);
  }
  return additions;
}

}  // namespace kingpost
