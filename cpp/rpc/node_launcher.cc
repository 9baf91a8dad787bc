// SPDX-License-Identifier: Apache-2.0
// Starting Node.js programs, and what their exit codes mean.
#include <nlohmann/json.hpp>

#include "rpc/native_language_host.h"
#include "rpc/plugin_environment.h"

namespace kingpost {

namespace {

// Old SDKs expect "project:config:key"; new ones take both.
std::map<std::string, std::string> OldKeys(const std::map<std::string, std::string>& config) {
  std::map<std::string, std::string> old;
  for (const auto& [key, value] : config) {
    const size_t colon = key.find(':');
    old[colon == std::string::npos ? key : key.substr(0, colon) + ":config" + key.substr(colon)] = value;
  }
  return old;
}

}  // namespace

Result<ProcessSpec> LaunchNode(const ProgramRun& run) {
  const std::string node = FindOnPath("node");
  if (node.empty()) return Status(Code::kNotFound, "could not find node on the $PATH: install Node.js");
  auto main = FindNodeModule("@pulumi/pulumi/cmd/run", run.program_folder);
  if (!main.ok()) {
    return Status(Code::kNotFound, "It looks like the Pulumi SDK has not been installed. " + main.status().message());
  }
  const DeploymentInfo& info = run.request.info;

  ProcessSpec spec;
  spec.argv = {node};
  const auto node_arguments = NodeArguments(run.options);
  spec.argv.insert(spec.argv.end(), node_arguments.begin(), node_arguments.end());
  spec.argv.insert(spec.argv.end(), run.debugger.arguments.begin(), run.debugger.arguments.end());
  if (!run.accelerators.empty()) {
    spec.argv.push_back("-r");  // not --require, by which the SDK tells that a program brings a loader of its own
    spec.argv.push_back(run.accelerators + "/node/preload.js");
  }
  spec.argv.push_back(*main);
  AddFlag("monitor", run.monitor_address, &spec.argv);
  AddFlag("engine", run.engine_address, &spec.argv);
  AddFlag("organization", info.organization, &spec.argv);
  AddFlag("project", info.project, &spec.argv);
  AddFlag("root-directory", run.root_folder, &spec.argv);
  AddFlag("stack", info.stack, &spec.argv);
  AddFlag("pwd", run.program_folder, &spec.argv);
  if (info.dry_run) spec.argv.push_back("--dry-run");
  AddFlag("parallel", std::to_string(info.parallel), &spec.argv);
  spec.argv.push_back(run.entry_point);

  auto environment = NodeEnvironment(run.options);
  environment.insert(run.environment.begin(), run.environment.end());
  if (run.wants_debug_messages) environment["KINGPOST_WANTS_DEBUG_MESSAGES"] = "1";
  environment["PULUMI_CONFIG"] = nlohmann::json(OldKeys(info.config)).dump();
  environment["PULUMI_CONFIG_SECRET_KEYS"] = nlohmann::json(info.config_secret_keys).dump();
  spec.environment = PluginEnvironment(ForProgram(std::move(environment)));
  spec.working_directory = run.program_folder;
  return spec;
}

RunResponse NodeEnd(const ProcessExit& exit, const std::string& errors) {
  RunResponse response;
  if (exit.ok()) return response;
  if (exit.start_error != 0) {
    response.error = "Problem executing program (could not run language executor): " + exit.Describe();
    return response;
  }
  if (exit.code() == kUserHasBeenTold) {
    response.bail = true;
    return response;
  }
  response.error = Killed(exit) ? "Program exited unexpectedly: " + exit.Describe()
                                : "Program exited with non-zero exit code: " + std::to_string(exit.code());
  if (errors.find("heap out of memory") != std::string::npos) {
    response.error +=
        ". Node.js ran out of memory: give it more with the runtime option `nodeargs` in Pulumi.yaml, for example "
        "`nodeargs: --max-old-space-size=4096` for 4096 megabytes";
  }
  return response;
}

}  // namespace kingpost
