// SPDX-License-Identifier: Apache-2.0
#include "runtimes/native_language_host.h"

#include "runtimes/accelerators.h"
#include "runtimes/runtime.h"

namespace kingpost {

namespace {

using MakeRuntime = std::unique_ptr<Runtime> (*)(RuntimeTools tools);
constexpr std::pair<const char*, MakeRuntime> kRuntimes[] = {
    {"python", NewPythonRuntime}, {"nodejs", NewNodeRuntime}, {"go", NewGoRuntime}};

MakeRuntime FindRuntime(const std::string& name) {
  for (const auto& [known, make] : kRuntimes) {
    if (known == name) return make;
  }
  return nullptr;
}

ProgramRun PrepareRun(const LanguageHostOptions& options, RunRequest request) {
  ProgramRun run;
  run.monitor_address = request.monitor_address;
  run.engine_address = options.engine_address;
  run.request = std::move(request);
  run.root_folder = options.project.folder();
  run.program_folder = options.project.ProgramFolder();
  run.entry_point = EntryPoint(options.project);
  run.options = OptionTexts(*options.project.runtime_options);
  run.environment = options.environment;
  run.wants_debug_messages = options.wants_debug_messages;
  return run;
}

// With what is missing where the program ended as if all were well before its SDK had registered everything (`exit(0)`
// on the way).
RunResponse WithMissing(const LanguageHostOptions& options, RunResponse response) {
  const bool well = response.error.empty() && !response.bail;
  if (!well || !options.missing_registration) return response;
  std::string missing = options.missing_registration();
  if (!missing.empty()) response.missing = std::move(missing);
  return response;
}

class NativeLanguageHost final : public LanguageHost, public std::enable_shared_from_this<NativeLanguageHost> {
 public:
  NativeLanguageHost(Loop& loop, LanguageHostOptions options)
      : loop_(loop),
        options_(std::move(options)),
        pool_(loop, 1),
        runner_(loop, options_.supervisor, options_.project.runtime + " (program)"),
        runtime_(FindRuntime(options_.project.runtime)({options_, pool_, runner_})) {}

  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    auto self = shared_from_this();
    co_return co_await runtime_->RequiredPackages();
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    auto self = shared_from_this();
    ProgramRun run = PrepareRun(options_, std::move(request));
    // A user who debugs a program wants to see the SDK as it is.
    if (!options_.debug_program && runtime_->accelerates()) run.accelerators = co_await Accelerate();
    const Result<RunResponse> prepared = co_await runtime_->Prepare(&run);
    if (!prepared.ok() || !prepared->error.empty()) co_return prepared;
    if (options_.debug_program) {  // now, or another process might take the port meanwhile
      Result<Debugger> debugger = runtime_->MakeDebugger();
      if (!debugger.ok()) co_return debugger.status();
      run.debugger = std::move(*debugger);
    }
    const Result<ProcessSpec> spec = runtime_->Launch(run);
    if (!spec.ok()) co_return FailedRun(spec.status().message());
    std::string errors;
    const Result<ProcessExit> exit = co_await RunToEnd(*spec, run.debugger, &errors);
    if (!exit.ok()) co_return exit.status();
    co_return WithMissing(options_, runtime_->End(*exit, errors));
  }

  Task<void> Cancel() override {
    auto self = shared_from_this();
    co_await runner_.Cancel();
  }

 private:
  Task<Result<ProcessExit>> RunToEnd(ProcessSpec spec, Debugger debugger, std::string* errors) {
    auto ended = std::make_shared<bool>(false);
    Group telling(loop_);
    if (debugger.port != 0) telling.Spawn(ReportWhenListening(loop_, debugger, ended, options_.on_debugger));
    auto taking = TakeStandby(spec);
    auto [standby, message] = co_await std::move(taking);
    auto running = standby ? runner_.RunStandby(standby, message, &pool_, LineLogger(options_.log), errors)
                           : runner_.RunToEnd(std::move(spec), LineLogger(options_.log), errors);
    Result<ProcessExit> exit = co_await std::move(running);
    *ended = true;
    co_await telling.Wait();
    co_return exit;
  }

  struct Standby {
    std::shared_ptr<StandbyProcess> process;  // null for the ordinary start
    std::string message;                      // that makes it run this program
  };

  // The early process, if it can run this program. One that has ended is of no use: the ordinary start meets what was
  // in its way, or does not.
  Task<Standby> TakeStandby(ProcessSpec spec) {
    if (!options_.standby) co_return Standby();
    const bool waits = options_.standby->waits();
    const auto process = std::exchange(options_.standby->process, nullptr);
    const auto server = std::exchange(options_.standby->server, nullptr);
    const std::optional<std::string> message = waits ? HandOver(options_.standby->spec, spec) : std::nullopt;
    if (!message) co_return Standby();  // it ends
    if (process) co_return Standby{process, *message};
    auto fork = [this, server] {
      return StandbyProcess::Fork(options_.supervisor, *server, [this] { return runner_.cancelled(); });
    };
    auto forking = pool_.Run(std::move(fork));
    const auto forked = co_await std::move(forking);
    co_return forked.ok() ? Standby{*forked, *message} : Standby();
  }

  // The folder that the accelerators are in; "" to go without. An interpreter that began early has read them.
  Task<std::string> Accelerate() {
    if (!WantsAccelerators()) co_return "";
    if (options_.standby && !options_.standby->accelerators.folder.empty()) {
      co_return options_.standby->accelerators.folder;
    }
    if (accelerators_.folder.empty()) {
      auto unpack = [guardian = options_.supervisor] { return UnpackAccelerators(guardian.get()); };
      accelerators_ = co_await pool_.Run(unpack);
    }
    co_return accelerators_.folder;
  }

  Loop& loop_;
  const LanguageHostOptions options_;
  Accelerators accelerators_;
  WorkerPool pool_;
  ProgramRunner runner_;
  const std::unique_ptr<Runtime> runtime_;
};

}  // namespace

bool IsNativeRuntime(const std::string& runtime) { return FindRuntime(runtime) != nullptr; }

LanguageHostPtr NativeHost(Loop& loop, LanguageHostOptions options) {
  return std::make_shared<NativeLanguageHost>(loop, std::move(options));
}

}  // namespace kingpost
