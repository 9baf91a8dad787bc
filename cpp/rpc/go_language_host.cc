// SPDX-License-Identifier: Apache-2.0
// Go programs: `go build`, then the program. The packages it needs are those that the modules of its go.mod bring.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/json_access.h"
#include "rpc/native_language_host.h"
#include "rpc/package_scan.h"
#include "rpc/plugin_environment.h"
#include "rpc/private_folder.h"
#include "rpc/program_runner.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// The modules in the output of `go list -m` with kModuleFormat.
constexpr const char* kModuleFormat = "{{.Path}}\t{{.Version}}\t{{.Dir}}";
std::vector<GoModule> ReadModules(const std::string& output) {
  std::vector<GoModule> modules;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    modules.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return modules;
}

// The paths of the modules that a go.mod requires, from `go mod edit -json`.
std::vector<std::string> RequiredPaths(const std::string& output) {
  std::vector<std::string> paths;
  for (const auto& module : ListOf(ParseJson(output), "Require")) paths.push_back(TextOf(module, "Path"));
  return paths;
}

void FindVendored(const fs::path& folder, std::vector<GoModule>* modules) {
  for (GoModule& module : *modules) {
    std::error_code error;
    if (module.folder.empty() && fs::is_directory(folder / module.path, error)) module.folder = folder / module.path;
  }
}

class GoLanguageHost final : public LanguageHost, public std::enable_shared_from_this<GoLanguageHost> {
 public:
  GoLanguageHost(Loop& loop, LanguageHostOptions options)
      : options_(std::move(options)), pool_(loop, 1), runner_(loop, options_.supervisor, "go (program)") {}

  // A program that uses no modules, or whose modules Go cannot list, needs nothing that we could know of.
  Task<Result<std::vector<RequiredPackage>>> GetRequiredPackages() override {
    auto self = shared_from_this();
    auto finding = FindModules();
    std::vector<GoModule> modules = co_await std::move(finding);
    auto scan = [modules = std::move(modules)] { return Result(ScanGoPackages(modules)); };
    auto scanning = pool_.Run(scan);
    co_return co_await std::move(scanning);
  }

  Task<Result<RunResponse>> Run(RunRequest request) override {
    auto self = shared_from_this();
    const ProgramRun run = PrepareRun(options_, std::move(request));
    if (options_.debug_program) {
      co_return Status(Code::kUnimplemented,
                       "--attach-debugger: programs in Go are not started under a debugger; run the engine with "
                       "KINGPOST_LANGUAGE_HOSTS=path and pulumi-language-go on PATH, which does it");
    }
    auto go_options = ReadGoOptions(options_.project.runtime_options);
    if (!go_options.ok()) co_return go_options.status();
    if (!go_options->binary.empty()) {
      auto binary = FindGoBinary(go_options->binary, run.program_folder);
      if (!binary.ok()) co_return binary.status();
      auto executing = Execute(run, *binary);
      co_return co_await std::move(executing);
    }
    if (!go_options->build_target.empty()) {
      auto target = fs::absolute(fs::path(run.program_folder) / go_options->build_target).lexically_normal().string();
      auto going = BuildAndExecute(run, std::move(target));
      co_return co_await std::move(going);
    }
    auto folder = PrivateFolder::Create(options_.supervisor.get());
    if (!folder.ok()) co_return folder.status();
    auto going = BuildAndExecute(run, folder->Path("program"));
    co_return co_await std::move(going);
  }

  Task<void> Cancel() override {
    auto self = shared_from_this();
    auto cancelling = runner_.Cancel();
    co_await std::move(cancelling);
  }

 private:
  Task<Result<RunResponse>> BuildAndExecute(const ProgramRun& run, std::string target) {
    auto spec = LaunchGoBuild(run, target);
    if (!spec.ok()) co_return spec.status().Wrap("error in compiling Go");
    if (options_.progress) options_.progress("Compiling the program ...");
    auto building = runner_.RunToEnd(*spec, LineLogger(options_.log), nullptr);
    auto exit = co_await std::move(building);
    if (!exit.ok()) co_return exit.status();
    if (!exit->ok()) {
      co_return Status(Code::kUnknown, "error in compiling Go: unable to run `go build`: " + exit->Describe());
    }
    if (!IsExecutableFile(target)) {
      co_return Status(Code::kInvalidArgument,
                       "error in compiling Go: go program is not executable, does your program have a 'main' package?");
    }
    if (options_.progress) options_.progress("Finished compiling");
    auto executing = Execute(run, std::move(target));
    co_return co_await std::move(executing);
  }

  Task<Result<RunResponse>> Execute(const ProgramRun& run, std::string executable) {
    ProcessSpec spec = LaunchGo(run, {std::move(executable)});
    auto running = runner_.RunToEnd(std::move(spec), LineLogger(options_.log), nullptr);
    auto exit = co_await std::move(running);
    if (!exit.ok()) co_return exit.status();
    co_return UnlessIncomplete(options_, GoEnd(*exit));
  }

  // The modules that the program's go.mod requires, where they are on this machine; what is missing is downloaded.
  Task<std::vector<GoModule>> FindModules() {
    std::vector<GoModule> modules;
    auto locating = Go(options_.project.ProgramFolder(), {"list", "-m", "-f", "{{.GoMod}}"}, {{"GOWORK", "off"}});
    std::string go_mod = co_await std::move(locating);
    go_mod.erase(std::min(go_mod.find('\n'), go_mod.size()));
    if (go_mod.empty()) co_return modules;
    const std::string folder = fs::path(go_mod).parent_path().string();
    auto reading = Go(folder, {"mod", "edit", "-json", go_mod}, {});
    const std::vector<std::string> paths = RequiredPaths(co_await std::move(reading));
    if (paths.empty()) co_return modules;

    auto listing = ListModules(folder, paths);
    modules = co_await std::move(listing);
    std::error_code error;
    if (fs::is_directory(fs::path(folder) / "vendor", error)) {
      FindVendored(fs::path(folder) / "vendor", &modules);
      co_return modules;
    }
    std::vector<std::string> download = {"mod", "download"};
    for (const GoModule& module : modules) {
      if (module.folder.empty()) download.push_back(module.path);
    }
    if (download.size() == 2) co_return modules;
    auto downloading = Go(folder, std::move(download), {});
    co_await std::move(downloading);
    auto again = ListModules(folder, paths);
    co_return co_await std::move(again);
  }

  Task<std::vector<GoModule>> ListModules(std::string folder, std::vector<std::string> paths) {
    std::vector<std::string> arguments = {"list", "-m", "-f", kModuleFormat};
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    auto listing = Go(std::move(folder), std::move(arguments), {});
    co_return ReadModules(co_await std::move(listing));
  }

  // The standard output of a Go command; "" if it fails.
  Task<std::string> Go(std::string folder, std::vector<std::string> arguments,
                       std::map<std::string, std::string> environment) {
    const std::string go = FindOnPath("go");
    if (go.empty()) co_return "";
    ProcessSpec spec;
    spec.argv = {go};
    spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
    environment.insert(options_.environment.begin(), options_.environment.end());
    spec.environment = PluginEnvironment(environment);
    spec.working_directory = std::move(folder);
    std::string output;
    ProgramRunner::LineHandler collect = [&output](OutputStream stream, std::string line) {
      if (stream == OutputStream::kStdout) output += line + "\n";
    };
    auto running = runner_.RunToEnd(std::move(spec), std::move(collect), nullptr);
    auto exit = co_await std::move(running);
    co_return exit.ok() && exit->ok() ? output : "";
  }

  const LanguageHostOptions options_;
  WorkerPool pool_;
  ProgramRunner runner_;
};

}  // namespace

LanguageHostPtr GoHost(Loop& loop, LanguageHostOptions options) {
  return std::make_shared<GoLanguageHost>(loop, std::move(options));
}

}  // namespace kingpost
