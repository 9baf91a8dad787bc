#include "rpc/native_language_host.h"

#include <signal.h>
#include <sys/wait.h>

#include "rpc/package_scan.h"
#include "rpc/plugin_environment.h"

namespace kingpost {

namespace {

constexpr size_t kErrorTailBytes = 16 * 1024;

class NativeLanguageHost final : public LanguageHost, public std::enable_shared_from_this<NativeLanguageHost> {
 public:
  NativeLanguageHost(Loop& loop, LanguageHostOptions options)
      : loop_(loop), options_(std::move(options)), is_python_(options_.project.runtime == "python"), pool_(loop, 1) {}

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
    const ProgramRun run = Prepare(std::move(request));
    auto checking = CheckTypes(run);
    const std::string type_errors = co_await std::move(checking);
    if (!type_errors.empty()) co_return Failed(type_errors);

    auto spec = is_python_ ? LaunchPython(run) : LaunchNode(run);
    if (!spec.ok()) co_return Failed(spec.status().message());
    std::string errors;
    auto running = RunToEnd(*spec, LineLogger(options_.log), &errors);
    auto exit = co_await std::move(running);
    if (!exit.ok()) co_return exit.status();
    co_return is_python_ ? PythonEnd(*exit) : NodeEnd(*exit, errors);
  }

  Task<void> Cancel() override {
    auto self = shared_from_this();
    cancelled_ = true;
    auto process = process_;
    if (!process) co_return;
    auto stopping = process->Stop();
    co_await std::move(stopping);
  }

 private:
  static RunResponse Failed(const std::string& error) {
    RunResponse response;
    response.error = error;
    return response;
  }

  ProgramRun Prepare(RunRequest request) const {
    ProgramRun run;
    run.monitor_address = options_.private_monitor_address ? options_.private_monitor_address(request.monitor_address)
                                                           : request.monitor_address;
    run.engine_address =
        options_.private_engine_address.empty() ? options_.engine_address : options_.private_engine_address;
    run.request = std::move(request);
    run.root_folder = options_.project.folder();
    run.program_folder = options_.project.ProgramFolder();
    run.entry_point = EntryPoint(options_.project);
    run.options = OptionTexts(options_.project.runtime_options);
    run.environment = options_.environment;
    return run;
  }

  // What the type checker has against the program; "" if nothing or if none is asked for.
  Task<std::string> CheckTypes(const ProgramRun& run) {
    if (!is_python_) co_return "";
    auto spec = LaunchTypeChecker(run);
    if (!spec.ok()) co_return spec.status().message();
    if (!*spec) co_return "";
    std::string output;
    std::function<void(OutputStream, std::string)> collect = [&output](OutputStream, std::string line) {
      output += line + "\n";
    };
    std::string errors;
    auto running = RunToEnd(**spec, collect, &errors);
    auto exit = co_await std::move(running);
    if (!exit.ok()) co_return exit.status().message();
    if (exit->ok()) co_return "";
    if (output.find("No module named") != std::string::npos) {
      co_return "The typechecker option is set to " + run.options.at("typechecker") + ", but " +
          run.options.at("typechecker") + " is not installed. Please add an entry for it to requirements.txt and " +
          "install the requirements";
    }
    co_return run.options.at("typechecker") + " failed: " + exit->Describe() + "\n" + output;
  }

  // Fails if no process could be made at all. *errors is the tail of standard error.
  Task<Result<ProcessExit>> RunToEnd(ProcessSpec spec, std::function<void(OutputStream, std::string)> on_line,
                                     std::string* errors) {
    PluginProcessOptions options;
    options.prefix = options_.project.runtime + " (program)";
    options.expects_port = false;
    options.on_line = [on_line, errors](OutputStream stream, std::string line) {
      if (stream == OutputStream::kStderr) {
        *errors += line + "\n";
        if (errors->size() > 2 * kErrorTailBytes) errors->erase(0, errors->size() - kErrorTailBytes);
      }
      on_line(stream, std::move(line));
    };
    if (cancelled_) co_return Status(Code::kCancelled, "the program was not started: the operation is cancelled");
    auto process = PluginProcess::Start(loop_, options_.supervisor, std::move(spec), std::move(options));
    if (!process.ok()) co_return process.status().Wrap("problem executing program");
    process_ = *process;
    auto waiting = process_->Wait();
    const ProcessExit exit = co_await std::move(waiting);
    process_ = nullptr;
    co_return exit;
  }

  Loop& loop_;
  const LanguageHostOptions options_;
  const bool is_python_;
  WorkerPool pool_;
  std::shared_ptr<PluginProcess> process_;  // while something runs
  bool cancelled_ = false;
};

}  // namespace

bool IsNativeRuntime(const std::string& runtime) { return runtime == "python" || runtime == "nodejs"; }

LanguageHostPtr NativeHost(Loop& loop, LanguageHostOptions options) {
  return std::make_shared<NativeLanguageHost>(loop, std::move(options));
}

bool Killed(const ProcessExit& exit) { return exit.start_error == 0 && WIFSIGNALED(exit.wait_status); }

std::map<std::string, std::string> ForProgram(std::map<std::string, std::string> additions) {
  for (const char* name : {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"}) {
    if (const char* value = std::getenv(name)) additions.emplace(name, value);
  }
  return additions;
}

RuntimeOptions OptionTexts(const nlohmann::json& options) {
  RuntimeOptions texts;
  if (!options.is_object()) return texts;
  for (const auto& [name, value] : options.items()) {
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return texts;
}

}  // namespace kingpost
