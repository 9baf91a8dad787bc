// SPDX-License-Identifier: Apache-2.0
#include "runtimes/standby_program.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/encoding.h"
#include "base/file_stamp.h"
#include "base/os.h"
#include "processes/plugin_environment.h"
#include "runtimes/runtime.h"

namespace kingpost {

namespace {

// The configuration of the stack, which is decrypted while the interpreter starts. SDKs read it when they are told to.
const std::set<std::string>& ToldLater() {
  static const auto& names = *new std::set<std::string>{"PULUMI_CONFIG", "PULUMI_CONFIG_SECRET_KEYS"};
  return names;
}

std::string NameOf(const std::string& variable) { return variable.substr(0, variable.find('=')); }

// In order, without what is told later.
std::vector<std::string> Steady(const std::vector<std::string>& environment) {
  std::vector<std::string> steady;
  for (const std::string& variable : environment) {
    if (ToldLater().count(NameOf(variable)) == 0) steady.push_back(variable);
  }
  std::sort(steady.begin(), steady.end());
  return steady;
}

}  // namespace

bool WantsLanguagePlugin(const Project& project) {
  if (GetEnvironment("KINGPOST_LANGUAGE_HOSTS") == "path") return true;
  return std::any_of(project.language_plugins.begin(), project.language_plugins.end(),
                     [&](const PluginOption& plugin) { return plugin.name == project.runtime; });
}

std::string StampsOf(const std::vector<std::string>& paths) {
  std::string stamps;
  for (const std::string& path : paths) stamps += FileStamp(path);
  return stamps;
}

bool CanBeginProgram(const Project& project) {
  return (project.runtime == "python" || project.runtime == "nodejs") && !WantsLanguagePlugin(project) &&
         GetEnvironment("PULUMI_DEBUG_LANGUAGES").empty();
}

std::optional<StandbySpec> BeginProgram(const Project& project, const Accelerators& accelerators) {
  if (!CanBeginProgram(project)) return std::nullopt;
  return project.runtime == "python" ? BeginPython(project, accelerators.folder)
                                     : BeginNode(project, accelerators.folder);
}

std::optional<StandbySpec> BeginForks(const Project& project, const Accelerators& accelerators) {
  if (!CanBeginProgram(project) || project.runtime != "python") return std::nullopt;
  return BeginPythonForks(project, accelerators.folder);
}

std::optional<std::string> HandOver(const StandbySpec& standby, const ProcessSpec& launch) {
  const ProcessSpec& begun = standby.process;
  const size_t shared = standby.shared_arguments;
  if (!standby.any_folder && launch.working_directory != begun.working_directory) return std::nullopt;
  if (launch.argv.size() < shared) return std::nullopt;
  std::vector<std::string> known(begun.argv.begin(), begun.argv.begin() + static_cast<std::ptrdiff_t>(shared));
  if (!standby.named.empty()) known[0] = standby.named;
  if (!std::equal(known.begin(), known.end(), launch.argv.begin())) return std::nullopt;
  if (!standby.next_argument.empty() &&
      (launch.argv.size() == shared || launch.argv[shared] != standby.next_argument)) {
    return std::nullopt;
  }
  if (StampsOf(standby.packages) != standby.stamps) return std::nullopt;
  if (Steady(begun.environment) != Steady(launch.environment)) return std::nullopt;
  const bool can_be_told = IsValidUtf8(launch.working_directory) &&
                           std::all_of(launch.argv.begin(), launch.argv.end(), IsValidUtf8) &&
                           std::all_of(launch.environment.begin(), launch.environment.end(), IsValidUtf8);
  if (!can_be_told) return std::nullopt;
  nlohmann::json told = {{"command", launch.argv},
                         {"shared", shared},
                         {"folder", launch.working_directory},
                         {"environment", nlohmann::json::object()}};
  for (const std::string& variable : launch.environment) {
    const std::string name = NameOf(variable);
    if (ToldLater().count(name) > 0) told["environment"][name] = variable.substr(name.size() + 1);
  }
  return told.dump(-1, ' ', true);
}

bool StandbyProgram::waits() const { return process ? process->waits() : server && server->forks(); }

std::shared_ptr<StandbyProgram> StartForks(const std::shared_ptr<ProcessSupervisor>& supervisor, StandbySpec spec,
                                           const Accelerators& accelerators) {
  Result<std::shared_ptr<ForkServer>> server = ForkServer::Start(supervisor, spec.process);
  if (!server.ok()) return nullptr;
  auto program = std::make_shared<StandbyProgram>();
  program->spec = std::move(spec);
  program->server = std::move(*server);
  program->accelerators = accelerators;
  return program;
}

std::shared_ptr<StandbyProgram> StartStandbyProgram(const std::shared_ptr<ProcessSupervisor>& supervisor,
                                                    const Project& project, bool another_follows) {
  auto program = std::make_shared<StandbyProgram>();
  if (WantsAccelerators()) program->accelerators = UnpackAccelerators(supervisor.get());
  std::optional<StandbySpec> forks;
  if (another_follows) forks = BeginForks(project, program->accelerators);
  if (forks) return StartForks(supervisor, std::move(*forks), program->accelerators);
  std::optional<StandbySpec> spec = BeginProgram(project, program->accelerators);
  if (!spec) return nullptr;
  program->spec = std::move(*spec);
  Result<std::shared_ptr<StandbyProcess>> process = StandbyProcess::Start(supervisor, program->spec.process);
  if (!process.ok()) return nullptr;
  program->process = std::move(*process);
  return program;
}

}  // namespace kingpost
