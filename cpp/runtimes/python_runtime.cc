// SPDX-License-Identifier: Apache-2.0
// Python programs: which interpreter, which type checker, and what their exit codes mean.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/command_name.h"
#include "base/os.h"
#include "processes/plugin_environment.h"
#include "runtimes/package_scan.h"
#include "runtimes/python_site_packages.h"
#include "runtimes/runtime.h"

namespace kingpost {

namespace {

// The type checker that the options ask for; nullopt if none.
Result<std::optional<ProcessSpec>> LaunchTypeChecker(const ProgramRun& run) {
  const std::string checker = Option(run.options, "typechecker");
  if (checker.empty() || checker == "none") return std::optional<ProcessSpec>();
  if (checker != "mypy" && checker != "pyright") {
    return Status(Code::kInvalidArgument,
                  "unsupported typechecker option: " + checker + ": the runtime option may be mypy, pyright or none");
  }
  auto python = FindPython(run.options, run.root_folder, false);
  if (!python.ok()) return python.status();
  ProcessSpec spec;
  spec.argv = {python->executable, "-m", checker};
  auto virtual_environment = python->environment.find("VIRTUAL_ENV");
  if (checker == "mypy" && virtual_environment != python->environment.end()) {
    spec.argv.push_back("--exclude");
    spec.argv.push_back(std::filesystem::relative(virtual_environment->second, run.program_folder).string());
  }
  spec.argv.push_back(run.program_folder);
  spec.environment = PluginEnvironment(python->environment);
  spec.working_directory = run.program_folder;
  return std::optional<ProcessSpec>(std::move(spec));
}

std::vector<std::string> PythonArguments(const std::string& python, const ProgramRun& run) {
  const DeploymentInfo& info = run.request.info;
  std::vector<std::string> argv = {python, "-u"};
  argv.insert(argv.end(), run.debugger.arguments.begin(), run.debugger.arguments.end());
  argv.insert(argv.end(), {"-c", kPythonProgram});
  AddFlag("monitor", run.monitor_address, &argv);
  AddFlag("engine", run.engine_address, &argv);
  AddFlag("project", info.project, &argv);
  AddFlag("root_directory", run.root_folder, &argv);
  AddFlag("stack", info.stack, &argv);
  AddFlag("pwd", run.program_folder, &argv);
  AddFlag("dry_run", info.dry_run ? "true" : "false", &argv);
  AddFlag("parallel", std::to_string(info.parallel), &argv);
  AddFlag("organization", info.organization, &argv);
  AddFlag("accelerators", run.accelerators, &argv);
  if (run.wants_debug_messages) argv.push_back("--debug");
  argv.push_back(run.entry_point);
  return argv;
}

// Neither a script nor a link to another program that chooses the interpreter by the folder, as those of asdf and mise
// do.
bool IsInterpreter(const std::string& executable) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(executable, error);
  const std::string name = file.filename();
  if (error || !(name.starts_with("python") || name.starts_with("pypy"))) return false;
  char mark[4] = {};
  std::ifstream(file, std::ios::binary).read(mark, sizeof mark);
  return std::string_view(mark, sizeof mark) ==
         "\x7f"
         "ELF";
}

// The same modules are found wherever it is started.
bool IsSameInAllFolders(const ProcessSpec& python) {
  if (!python.argv[0].starts_with('/') || !IsInterpreter(python.argv[0])) return false;
  const std::string path = GetEnvironment("PYTHONPATH"), folders = ":" + path;
  for (size_t at = 0; !path.empty() && at != std::string::npos; at = folders.find(':', at + 1)) {
    if (folders.compare(at, 2, ":/") != 0) return false;
  }
  return true;
}

class PythonRuntime final : public Runtime {
 public:
  using Runtime::Runtime;

  Task<Result<std::vector<RequiredPackage>>> RequiredPackages() override {
    const Project& project = tools_.options.project;
    auto scan = [options = OptionTexts(*project.runtime_options), root = project.folder()] {
      return ScanPythonPackages(options, root);
    };
    co_return co_await tools_.pool.Run(scan);
  }

  Result<Debugger> MakeDebugger() const override { return PythonDebugger("Pulumi: Program (Python)"); }
  bool accelerates() const override { return true; }

  Task<Result<RunResponse>> Prepare(ProgramRun* run) override {
    auto spec = LaunchTypeChecker(*run);
    if (!spec.ok()) co_return FailedRun(spec.status().message());
    if (!*spec) co_return RunResponse();
    std::vector<std::pair<OutputStream, std::string>> lines;
    ProgramRunner::LineHandler collect = [&lines](OutputStream stream, std::string line) {
      lines.emplace_back(stream, std::move(line));
    };
    auto running = tools_.runner.RunToEnd(**spec, collect, nullptr);
    const auto exit = co_await std::move(running);
    if (!exit.ok()) co_return FailedRun(exit.status().message());
    const std::string checker = Option(run->options, "typechecker");
    const bool is_missing = !exit->ok() && lines.size() == 1 && lines[0].second.ends_with("No module named " + checker);
    if (is_missing) {
      co_return FailedRun("The typechecker option is set to " + checker + ", but " + checker +
                          " is not installed. Please add an entry for " + checker + " to requirements.txt and run " +
                          QuotedCommand("install"));
    }
    const auto log = LineLogger(tools_.options.log);
    for (auto& [stream, line] : lines) log(stream, std::move(line));
    co_return exit->ok() ? RunResponse() : FailedRun(checker + " failed: " + exit->Describe());
  }

  Result<ProcessSpec> Launch(const ProgramRun& run) const override {
    auto python = FindPython(run.options, run.root_folder, false);
    if (!python.ok()) return python.status();
    const DeploymentInfo& info = run.request.info;
    auto environment = python->environment;
    environment.insert(run.environment.begin(), run.environment.end());
    environment["PULUMI_CONFIG"] = nlohmann::json(info.config).dump();
    environment["PULUMI_CONFIG_SECRET_KEYS"] = nlohmann::json(info.config_secret_keys).dump();
    ProcessSpec spec;
    spec.argv = PythonArguments(python->executable, run);
    spec.environment = PluginEnvironment(ForProgram(std::move(environment)));
    spec.working_directory = run.program_folder;
    return spec;
  }

  RunResponse End(const ProcessExit& exit, const std::string& errors) const override {
    if (!exit.ok() && errors.find("No module named debugpy") != std::string::npos) {
      return FailedRun("debugpy is not installed. Please add an entry for debugpy to requirements.txt and run " +
                       QuotedCommand("install"));
    }
    return ProgramEnd(exit, "problem executing program (could not run language executor)");
  }
};

}  // namespace

std::optional<StandbySpec> BeginPython(const Project& project, const std::string& accelerators) {
  const auto python = FindPython(OptionTexts(*project.runtime_options), project.folder(), false);
  if (!python.ok()) return std::nullopt;
  StandbySpec standby;
  standby.process.argv = {python->executable, "-u", "-c", kPythonProgram};
  standby.shared_arguments = standby.process.argv.size();
  standby.process.argv.insert(standby.process.argv.end(), {"--standby", accelerators});
  standby.process.environment = PluginEnvironment(ForProgram(python->environment));
  standby.process.working_directory = project.ProgramFolder();
  return standby;
}

std::optional<StandbySpec> BeginPythonForks(const Project& project, const std::string& accelerators) {
  std::optional<StandbySpec> forks = BeginPython(project, accelerators);
  if (!forks || accelerators.empty()) return std::nullopt;
  std::string& python = forks->process.argv[0];
  forks->named = std::exchange(python, ResolveShim(python, project.ProgramFolder()).string());
  if (!IsSameInAllFolders(forks->process)) return std::nullopt;
  forks->process.argv[forks->shared_arguments] = "--fork-server";
  forks->process.working_directory = accelerators;  // that hides nothing that is imported
  forks->any_folder = true;
  return forks;
}

std::unique_ptr<Runtime> NewPythonRuntime(RuntimeTools tools) { return std::make_unique<PythonRuntime>(tools); }

}  // namespace kingpost
