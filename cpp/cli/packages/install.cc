// SPDX-License-Identifier: Apache-2.0
// install: what the project's program needs before it can run, that is its packages and its plugins.
#include "cli/packages/install.h"

#include <unistd.h>

#include <filesystem>

#include "cli/packages/package_commands.h"
#include "cli/packages/project_packages.h"
#include "cli/packages/project_plugins.h"
#include "cli/session/command.h"
#include "cli/session/flags.h"
#include "cli/session/foreground.h"
#include "cli/session/session.h"

namespace kingpost {

namespace {

struct InstallFlags {
  bool no_dependencies = false, no_plugins = false, reinstall = false;
  int parallel = 4;
};

// To standard error, all of it, or to standard output.
Status RunAll(Session& session, const Result<DependencySteps>& steps, bool quietly) {
  if (!steps.ok()) return steps.status().Wrap("installing dependencies");
  for (const DependencyStep& step : *steps) {
    const bool environment = !quietly && MakesVirtualEnvironment(step);
    if (environment) session.Print("Creating virtual environment...\n");
    const Status done = RunStepInForeground(step, quietly ? STDERR_FILENO : STDOUT_FILENO);
    if (!done.ok()) return done.Wrap("installing dependencies");
    if (environment) session.Print("Finished creating virtual environment\n");
  }
  return Status::Ok();
}

// The description of a plugin or policy pack that is nearer than that of a project; "" if there is none.
std::string PluginFile() {
  std::error_code error;
  const std::filesystem::path start = std::filesystem::current_path(error);
  const Result<std::string> project = Project::Find(start.string());
  const std::filesystem::path last = project.ok() ? std::filesystem::path(*project).parent_path() : start.root_path();
  for (std::filesystem::path at = start;; at = at.parent_path()) {
    for (const char* file : {"PulumiPlugin.yaml", "PulumiPolicy.yaml"}) {
      if (std::filesystem::exists(at / file, error)) return (at / file).string();
    }
    if (at == last || at == at.parent_path()) return "";
  }
}

Status InstallPluginHere(Session& session, const std::filesystem::path& file) {
  if (file.filename() == "PulumiPlugin.yaml") {
    const Result<Project> plugin = Project::LoadPlugin(file.string());
    if (!plugin.ok()) return plugin.status();
    if (const Status made = GenerateProjectPackages(session, *plugin); !made.ok()) return made;
  }
  return InstallDependencies(session, PluginDependencySteps(file.parent_path().string()));
}

Status Run(Session& session, const InstallFlags& options) {
  if (const std::string file = PluginFile(); !file.empty()) {
    return options.no_dependencies ? Status::Ok() : InstallPluginHere(session, file);
  }
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  if (!options.no_dependencies) {
    if (const Status made = GenerateProjectPackages(session, **project); !made.ok()) return made;
    if (const Status done = InstallDependencies(session, ProgramDependencySteps(**project)); !done.ok()) return done;
  }
  if (options.no_plugins) return Status::Ok();
  return InstallProjectPlugins(session, options.reinstall, options.parallel);
}

}  // namespace

Status InstallDependencies(Session& session, const Result<DependencySteps>& steps) {
  if (steps.ok() && steps->empty()) return Status::Ok();
  session.Print("Installing dependencies...\n\n");
  const Status done = RunAll(session, steps, false);
  if (done.ok()) session.Print("Finished installing dependencies\n\n");
  return done;
}

Status InstallProgram(Session& session) { return Run(session, InstallFlags()); }

Status InstallPackagesOf(Session& session, const Project& project) {
  return InstallDependencies(session, ProgramDependencySteps(project));
}

Status DescribePackagesOf(Session& session, const Project& project) {
  return RunAll(session, DescriptionSteps(project), true);
}

Status InstallPackagesQuietly(Session& session) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  return RunAll(session, ProgramDependencySteps(**project), true);
}

void AddInstallCommand(Commands* commands) {
  commands->push_back(
      {"install", "Install the packages and plugins that the program needs", [](Flags& flags) -> CommandBody {
         auto options = std::make_shared<InstallFlags>();
         flags.Switch("--no-dependencies", &options->no_dependencies, "Leave the program's packages");
         flags.Switch("--no-plugins", &options->no_plugins, "Leave the plugins");
         flags.Switch("--reinstall", &options->reinstall, "Also plugins that are installed already");
         flags.Int("--parallel", &options->parallel, "How many plugins at a time");
         flags.AcceptSwitch("--use-language-version-tools", "the languages on PATH are used as they are");
         return [options](Session& session) { return Run(session, *options); };
       }});
}

}  // namespace kingpost
