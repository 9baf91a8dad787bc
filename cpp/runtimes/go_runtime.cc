// SPDX-License-Identifier: Apache-2.0
// Go programs: how they are built and started, and what their exit codes mean. The packages they need are those that
// the modules of go.mod bring. A Go program needs nothing but its environment.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/os.h"
#include "processes/plugin_environment.h"
#include "runtimes/go_build_cache.h"
#include "runtimes/go_command.h"
#include "runtimes/go_modules.h"
#include "runtimes/runtime.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// The options of `runtime: {name: go, options: ...}`; at most one of them is set.
struct GoOptions {
  std::string binary;        // a program that is built already: a file, or a name on PATH
  std::string build_target;  // where to leave the program that is built, instead of a temporary file
};

bool HasGoFiles(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".go") return true;
  }
  return false;
}

Result<std::string> StringOption(const nlohmann::json& options, const char* name) {
  auto found = options.find(name);
  if (found == options.end()) return std::string();
  if (found->is_string()) return TextIn(*found);
  return Status(Code::kInvalidArgument,
                std::string(name) + " option must be a string: correct `runtime` in Pulumi.yaml");
}

Result<GoOptions> ReadGoOptions(const nlohmann::json& options) {
  GoOptions read;
  if (!options.is_object()) return read;
  auto binary = StringOption(options, "binary");
  if (!binary.ok()) return binary.status();
  auto target = StringOption(options, "buildTarget");
  if (!target.ok()) return target.status();
  if (!binary->empty() && !target->empty()) {
    return Status(Code::kInvalidArgument,
                  "binary and buildTarget cannot both be specified: remove one of them from `runtime` in Pulumi.yaml");
  }
  read.binary = *binary;
  read.build_target = *target;
  return read;
}

// The file that the option `binary` names.
Result<std::string> FindGoBinary(const std::string& name, const std::string& program_folder) {
  const fs::path here = fs::path(program_folder) / name;
  if (IsExecutableFile(here.string())) return fs::absolute(here).lexically_normal().string();
  const std::string installed = FindInstalledByGo(name);
  if (!installed.empty()) return installed;
  const std::string found = name.find('/') == std::string::npos ? FindOnPath(name) : "";
  if (!found.empty()) return found;
  return Status(Code::kNotFound, "unable to find '" + name + "' executable, which the option `binary` names: it is " +
                                     "neither in " + program_folder + " nor on PATH");
}

// The Go compiler, which leaves the program at `target`.
Result<ProcessSpec> LaunchGoBuild(const ProgramRun& run, const std::string& target, GoBuild build) {
  if (!HasGoFiles(run.program_folder)) {
    return Status(Code::kNotFound, "Failed to find go files for 'go build' matching " +
                                       (fs::path(run.program_folder) / "*.go").string() +
                                       ": let `main` in Pulumi.yaml name the folder of the program");
  }
  const Result<std::string> go = FindGo();
  if (!go.ok()) return go.status();
  ProcessSpec spec;
  spec.argv = GoBuildCommand(*go, target, build);
  spec.environment = PluginEnvironment(run.environment);
  spec.working_directory = run.program_folder;
  return spec;
}

std::map<std::string, std::string> ProgramEnvironment(const ProgramRun& run) {
  const DeploymentInfo& info = run.request.info;
  auto environment = run.environment;
  const std::pair<const char*, std::string> additions[] = {
      {"PULUMI_ORGANIZATION", info.organization},
      {"PULUMI_PROJECT", info.project},
      {"PULUMI_ROOT_DIRECTORY", run.root_folder},
      {"PULUMI_STACK", info.stack},
      {"PULUMI_CONFIG", nlohmann::json(info.config).dump()},
      {"PULUMI_CONFIG_SECRET_KEYS", nlohmann::json(info.config_secret_keys).dump()},
      {"PULUMI_DRY_RUN", info.dry_run ? "true" : "false"},
      {"PULUMI_PARALLEL", std::to_string(info.parallel)},
      {"PULUMI_MONITOR", run.monitor_address},
      {"PULUMI_ENGINE", run.engine_address},
  };
  for (const auto& [name, value] : additions) {
    if (!value.empty()) environment[name] = value;
  }
  return environment;
}

class GoRuntime final : public Runtime {
 public:
  using Runtime::Runtime;

  Task<Result<std::vector<RequiredPackage>>> RequiredPackages() override {
    std::vector<GoModule> modules = co_await FindGoModules(tools_);
    auto scan = [modules = std::move(modules)] { return Result(ScanGoPackages(modules)); };
    co_return co_await tools_.pool.Run(scan);
  }

  Result<Debugger> MakeDebugger() const override { return GoDebugger("Pulumi: Program (Go)"); }

  Task<Result<RunResponse>> Prepare(ProgramRun* run) override {
    auto go_options = ReadGoOptions(*tools_.options.project.runtime_options);
    if (!go_options.ok()) co_return go_options.status();
    if (tools_.options.debug_program) {  // before the minutes that building may take
      if (const auto delve = FindDelve(); !delve.ok()) co_return delve.status();
    }
    if (!go_options->binary.empty()) {
      auto binary = FindGoBinary(go_options->binary, run->program_folder);
      if (!binary.ok()) co_return binary.status();
      run->executable = *binary;
      co_return RunResponse();
    }
    // A way around our builds that the reference has, too: "exit status 5" is then go's to tell. The debugger needs a
    // program.
    if (IsTrueVariable("PULUMI_GO_USE_RUN") && !tools_.options.debug_program) co_return RunResponse();
    if (!go_options->build_target.empty()) {
      const fs::path target = fs::absolute(fs::path(run->program_folder) / go_options->build_target);
      run->executable = target.lexically_normal().string();
      KP_CO_TRY(co_await Compile(*run, run->executable));
      co_return RunResponse();
    }
    KP_CO_TRY(co_await FindOrBuild(run));
    co_return RunResponse();
  }

  Result<ProcessSpec> Launch(const ProgramRun& run) const override {
    ProcessSpec spec;
    spec.argv =
        run.debugger.port == 0 ? std::vector<std::string>{run.executable} : WrapInDelve(run.debugger, {run.executable});
    if (run.executable.empty()) {
      const Result<std::string> go = FindGo();
      if (!go.ok()) return go.status();
      spec.argv = {*go, "run", run.program_folder};
    }
    spec.environment = PluginEnvironment(ForProgram(ProgramEnvironment(run)));
    spec.working_directory = run.program_folder;
    return spec;
  }

  RunResponse End(const ProcessExit& exit, const std::string&) const override {
    RunResponse response = ProgramEnd(exit, "command errored unexpectedly");
    // Delve ends with 0 even if the program has failed. Such a program registers its stack's outputs all the same, and
    // what it did not come to would be deleted.
    const bool hidden = tools_.options.debug_program && exit.ok() && tools_.options.program_has_signalled;
    if (hidden && !tools_.options.program_has_signalled()) {
      response.missing = "that it is done, which under Delve is all that tells how it ended";
    }
    return response;
  }

 private:
  void Tell(const std::string& progress) const {
    if (tools_.options.progress) tools_.options.progress(progress);
  }

  GoBuild Kind() const { return tools_.options.debug_program ? GoBuild::kForDebugger : GoBuild::kProgram; }

  // Sets run->executable.
  Task<Status> FindOrBuild(ProgramRun* run) {
    const auto cache = GoBuildCache::Open();
    if (!cache.ok()) co_return co_await BuildForThisRun(run);
    const GoSources sources{run->program_folder, Kind(), run->environment};
    auto finding = cache->Find(tools_.pool, sources);
    run->executable = co_await std::move(finding);
    if (!run->executable.empty()) co_return Status::Ok();
    GoCompiler compile = [this, run](std::string target) { return Compile(*run, std::move(target)); };
    auto building = cache->Build(tools_.pool, tools_.runner, sources, std::move(compile), tools_.options.supervisor);
    auto built = co_await std::move(building);
    if (!built.ok()) co_return built.status();
    run->executable = built->path;
    run->temporary_folder = built->temporary_folder;
    co_return Status::Ok();
  }

  // Where no cache can be written.
  Task<Status> BuildForThisRun(ProgramRun* run) {
    auto folder = PrivateFolder::Create(tools_.options.supervisor.get());
    if (!folder.ok()) co_return folder.status();
    run->executable = folder->Path("program");
    run->temporary_folder = std::make_shared<PrivateFolder>(std::move(*folder));
    co_return co_await Compile(*run, run->executable);
  }

  Task<Status> Compile(const ProgramRun& run, std::string target) {
    auto spec = LaunchGoBuild(run, target, Kind());
    if (!spec.ok()) co_return spec.status().Wrap("error in compiling Go");
    Tell("Compiling the program ...");
    auto building = tools_.runner.RunToEnd(*spec, LineLogger(tools_.options.log), nullptr);
    const auto exit = co_await std::move(building);
    if (!exit.ok()) co_return exit.status();
    if (!exit->ok()) {
      co_return Status(Code::kUnknown, "error in compiling Go: unable to run `go build`: " + exit->Describe());
    }
    KP_CO_TRY(CheckGoProgram(target));
    Tell("Finished compiling");
    co_return Status::Ok();
  }
};

}  // namespace

std::unique_ptr<Runtime> NewGoRuntime(RuntimeTools tools) { return std::make_unique<GoRuntime>(tools); }

}  // namespace kingpost
