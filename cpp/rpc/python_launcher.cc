// SPDX-License-Identifier: Apache-2.0
// Starting Python programs, and what their exit codes mean.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "rpc/native_language_host.h"
#include "rpc/plugin_environment.h"

namespace kingpost {

Result<ProcessSpec> LaunchPython(const ProgramRun& run) {
  auto python = FindPython(run.options, run.root_folder, false);
  if (!python.ok()) return python.status();
  const DeploymentInfo& info = run.request.info;

  ProcessSpec spec;
  spec.argv = {python->executable, "-u"};
  spec.argv.insert(spec.argv.end(), run.debugger.arguments.begin(), run.debugger.arguments.end());
  spec.argv.insert(spec.argv.end(), {"-c", kPythonProgram});
  AddFlag("monitor", run.monitor_address, &spec.argv);
  AddFlag("engine", run.engine_address, &spec.argv);
  AddFlag("project", info.project, &spec.argv);
  AddFlag("root_directory", run.root_folder, &spec.argv);
  AddFlag("stack", info.stack, &spec.argv);
  AddFlag("pwd", run.program_folder, &spec.argv);
  AddFlag("dry_run", info.dry_run ? "true" : "false", &spec.argv);
  AddFlag("parallel", std::to_string(info.parallel), &spec.argv);
  AddFlag("organization", info.organization, &spec.argv);
  AddFlag("accelerators", run.accelerators, &spec.argv);
  if (run.wants_debug_messages) spec.argv.push_back("--debug");
  spec.argv.push_back(run.entry_point);

  auto environment = python->environment;
  environment.insert(run.environment.begin(), run.environment.end());
  environment["PULUMI_CONFIG"] = nlohmann::json(info.config).dump();
  environment["PULUMI_CONFIG_SECRET_KEYS"] = nlohmann::json(info.config_secret_keys).dump();
  spec.environment = PluginEnvironment(ForProgram(std::move(environment)));
  spec.working_directory = run.program_folder;
  return spec;
}

Result<std::optional<ProcessSpec>> LaunchTypeChecker(const ProgramRun& run) {
  auto option = run.options.find("typechecker");
  if (option == run.options.end() || option->second.empty() || option->second == "none") {
    return std::optional<ProcessSpec>();
  }
  if (option->second != "mypy" && option->second != "pyright") {
    return Status(Code::kInvalidArgument, "unsupported typechecker option: " + option->second +
                                              ": the runtime option may be mypy, pyright or none");
  }
  auto python = FindPython(run.options, run.root_folder, false);
  if (!python.ok()) return python.status();
  ProcessSpec spec;
  spec.argv = {python->executable, "-m", option->second};
  auto virtual_environment = python->environment.find("VIRTUAL_ENV");
  if (option->second == "mypy" && virtual_environment != python->environment.end()) {
    spec.argv.push_back("--exclude");
    spec.argv.push_back(std::filesystem::relative(virtual_environment->second, run.program_folder).string());
  }
  spec.argv.push_back(run.program_folder);
  spec.environment = PluginEnvironment(python->environment);
  spec.working_directory = run.program_folder;
  return std::optional<ProcessSpec>(std::move(spec));
}

RunResponse PythonEnd(const ProcessExit& exit) {
  return ProgramEnd(exit, "problem executing program (could not run language executor)");
}

}  // namespace kingpost
