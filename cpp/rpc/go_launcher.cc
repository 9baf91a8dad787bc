// SPDX-License-Identifier: Apache-2.0
// Building and starting Go programs, and what their exit codes mean. A Go program needs nothing but its environment.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/environment.h"
#include "base/json_access.h"
#include "rpc/native_language_host.h"
#include "rpc/plugin_environment.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

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

}  // namespace

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

Result<std::string> FindGoBinary(const std::string& name, const std::string& program_folder) {
  const fs::path here = fs::path(program_folder) / name;
  if (IsExecutableFile(here.string())) return fs::absolute(here).lexically_normal().string();
  const std::string gopath = GetEnvironment("GOPATH");
  const fs::path installed = fs::path(gopath.empty() ? GetEnvironment("HOME") + "/go" : gopath) / "bin" / name;
  if (IsExecutableFile(installed.string())) return installed.string();
  const std::string found = name.find('/') == std::string::npos ? FindOnPath(name) : "";
  if (!found.empty()) return found;
  return Status(Code::kNotFound, "unable to find '" + name + "' executable, which the option `binary` names: it is " +
                                     "neither in " + program_folder + " nor on PATH");
}

Result<ProcessSpec> LaunchGoBuild(const ProgramRun& run, const std::string& target) {
  if (!HasGoFiles(run.program_folder)) {
    return Status(Code::kNotFound, "Failed to find go files for 'go build' matching " +
                                       (fs::path(run.program_folder) / "*.go").string() +
                                       ": let `main` in Pulumi.yaml name the folder of the program");
  }
  const std::string go = FindOnPath("go");
  if (go.empty()) return Status(Code::kNotFound, "unable to find 'go' executable: install Go and put it on PATH");
  ProcessSpec spec;
  spec.argv = {go, "build", "-buildvcs=false", "-o", target, "-trimpath", "-ldflags", "-w -s"};
  spec.environment = PluginEnvironment(run.environment);
  spec.working_directory = run.program_folder;
  return spec;
}

ProcessSpec LaunchGo(const ProgramRun& run, std::vector<std::string> argv) {
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
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.environment = PluginEnvironment(ForProgram(std::move(environment)));
  spec.working_directory = run.program_folder;
  return spec;
}

RunResponse GoEnd(const ProcessExit& exit) { return ProgramEnd(exit, "command errored unexpectedly"); }

}  // namespace kingpost
