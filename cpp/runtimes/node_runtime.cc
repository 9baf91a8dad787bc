// SPDX-License-Identifier: Apache-2.0
// Node.js programs: how they are started, and what their exit codes mean.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "processes/plugin_environment.h"
#include "runtimes/node_compile_cache.h"
#include "runtimes/package_scan.h"
#include "runtimes/runtime.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// Old SDKs expect "project:config:key"; new ones take both.
std::map<std::string, std::string> OldKeys(const std::map<std::string, std::string>& config) {
  std::map<std::string, std::string> old;
  for (const auto& [key, value] : config) {
    const size_t colon = key.find(':');
    old[colon == std::string::npos ? key : key.substr(0, colon) + ":config" + key.substr(colon)] = value;
  }
  return old;
}

// Node.js with its own arguments.
std::vector<std::string> NodeInterpreter(const std::string& node, const RuntimeOptions& options,
                                         const Debugger& debugger, const std::string& accelerators) {
  std::vector<std::string> argv = {node};
  const auto node_arguments = NodeArguments(options);
  argv.insert(argv.end(), node_arguments.begin(), node_arguments.end());
  argv.insert(argv.end(), debugger.arguments.begin(), debugger.arguments.end());
  // Not --require, by which the SDK tells that a program brings a loader of its own.
  if (!accelerators.empty()) argv.insert(argv.end(), {"-r", accelerators + "/node/preload.js"});
  return argv;
}

std::vector<std::string> NodeProgramCommand(const std::string& node, const std::string& main, const ProgramRun& run) {
  const DeploymentInfo& info = run.request.info;
  std::vector<std::string> argv = NodeInterpreter(node, run.options, run.debugger, run.accelerators);
  argv.push_back(main);
  AddFlag("monitor", run.monitor_address, &argv);
  AddFlag("engine", run.engine_address, &argv);
  AddFlag("organization", info.organization, &argv);
  AddFlag("project", info.project, &argv);
  AddFlag("root-directory", run.root_folder, &argv);
  AddFlag("stack", info.stack, &argv);
  AddFlag("pwd", run.program_folder, &argv);
  if (info.dry_run) argv.push_back("--dry-run");
  AddFlag("parallel", std::to_string(info.parallel), &argv);
  argv.push_back(run.entry_point);
  return argv;
}

class NodeRuntime final : public Runtime {
 public:
  using Runtime::Runtime;

  Task<Result<std::vector<RequiredPackage>>> RequiredPackages() override {
    auto scan = [program = tools_.options.project.ProgramFolder()] { return ScanNodePackages(program); };
    co_return co_await tools_.pool.Run(scan);
  }

  Result<Debugger> MakeDebugger() const override { return NodeDebugger("Pulumi: Program (nodejs)"); }
  bool accelerates() const override { return true; }

  Result<ProcessSpec> Launch(const ProgramRun& run) const override {
    const std::string node = FindOnPath("node");
    if (node.empty()) return Status(Code::kNotFound, "could not find node on the $PATH: install Node.js");
    auto main = FindNodeModule("@pulumi/pulumi/cmd/run", run.program_folder);
    if (!main.ok()) {
      return Status(Code::kNotFound, "It looks like the Pulumi SDK has not been installed. " + main.status().message());
    }
    const DeploymentInfo& info = run.request.info;
    auto environment = NodeEnvironment(run.options);
    environment.insert(run.environment.begin(), run.environment.end());
    if (run.wants_debug_messages) environment["KINGPOST_WANTS_DEBUG_MESSAGES"] = "1";
    environment["PULUMI_CONFIG"] = nlohmann::json(OldKeys(info.config)).dump();
    environment["PULUMI_CONFIG_SECRET_KEYS"] = nlohmann::json(info.config_secret_keys).dump();
    ShareCompiledCode(&environment);
    ProcessSpec spec;
    spec.argv = NodeProgramCommand(node, *main, run);
    spec.environment = PluginEnvironment(ForProgram(std::move(environment)));
    spec.working_directory = run.program_folder;
    return spec;
  }

  RunResponse End(const ProcessExit& exit, const std::string& errors) const override {
    RunResponse response = ProgramEnd(exit, "problem executing program (could not run language executor)");
    if (response.error.empty()) return response;
    response.error[0] = 'P';  // as the reference's host for Node.js begins these
    if (errors.find("heap out of memory") != std::string::npos) {
      response.error +=
          ". Detected a possible out of memory error: give Node.js more with the runtime option `nodeargs` in "
          "Pulumi.yaml, for example `nodeargs: --max-old-space-size=4096` for 4096 megabytes";
    }
    return response;
  }
};

// What changes when npm, pnpm or yarn install something for the program, or when the source of `npm link` is built
// anew.
std::vector<std::string> PlacesOfPackages(const std::string& program_folder) {
  std::vector<std::string> places;
  for (fs::path at = program_folder;; at = at.parent_path()) {
    for (const char* name : {"", ".package-lock.json", ".modules.yaml", ".yarn-integrity", "@pulumi", "@pulumi/pulumi",
                             "@pulumi/pulumi/package.json", "@pulumi/pulumi/index.js"}) {
      places.push_back((at / "node_modules" / name).string());
    }
    if (at == at.root_path()) return places;
  }
}

}  // namespace

std::optional<StandbySpec> BeginNode(const Project& project, const std::string& accelerators) {
  const std::string node = FindOnPath("node");
  const std::string folder = project.ProgramFolder();
  const auto main = FindNodeModule("@pulumi/pulumi/cmd/run", folder);
  if (accelerators.empty() || node.empty() || !main.ok()) return std::nullopt;
  const RuntimeOptions options = OptionTexts(*project.runtime_options);
  StandbySpec standby;
  standby.packages = PlacesOfPackages(folder);
  standby.stamps = StampsOf(standby.packages);
  standby.next_argument = *main;
  standby.process.argv = NodeInterpreter(node, options, {}, accelerators);
  standby.shared_arguments = standby.process.argv.size();
  standby.process.argv.insert(standby.process.argv.end(), {"-r", accelerators + "/node/standby.js", *main});
  auto environment = NodeEnvironment(options);
  ShareCompiledCode(&environment);
  standby.process.environment = PluginEnvironment(ForProgram(std::move(environment)));
  standby.process.working_directory = folder;
  return standby;
}

std::unique_ptr<Runtime> NewNodeRuntime(RuntimeTools tools) { return std::make_unique<NodeRuntime>(tools); }

}  // namespace kingpost
