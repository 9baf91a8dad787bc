// SPDX-License-Identifier: Apache-2.0
#include "rpc/plugin_dependencies.h"

#include <filesystem>

#include "rpc/node_packages.h"
#include "rpc/plugin_environment.h"
#include "rpc/plugin_launch.h"
#include "workspace/poetry_project.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

ProcessSpec Command(const std::string& folder, Arguments argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.working_directory = folder;
  // Where poetry keeps its environments otherwise, nobody would find them again.
  spec.environment = PluginEnvironment({{"POETRY_VIRTUALENVS_IN_PROJECT", "true"}});
  return spec;
}

// The folder of the file, from `folder` upwards to `root`; "" if there is none.
std::string FolderWith(const char* file, const fs::path& folder, const fs::path& root) {
  for (fs::path at = folder;; at = at.parent_path()) {
    if (Exists(at / file)) return at.string();
    if (at == root || at == at.parent_path()) return "";
  }
}

// A program of uv or poetry that has no pyproject.toml, there or above, gets one from its requirements.txt, there or
// above, which then goes: packages are listed once. uv finds workspaces itself.
std::vector<ProcessSpec> UvCommands(const std::string& folder, const std::string& name) {
  const bool described =
      !FolderWith("pyproject.toml", folder, "/").empty() || !FolderWith("uv.lock", folder, "/").empty();
  const std::string listed = FolderWith("requirements.txt", folder, "/");
  if (described || listed.empty()) return {Command(folder, {"uv", "sync"})};
  Arguments init = {"uv", "init", "--bare", "--no-package", "--no-pin-python"};
  if (!name.empty()) init.insert(init.end(), {"--name", name});
  return {Command(listed, std::move(init)), Command(listed, {"uv", "add", "-r", "requirements.txt"}),
          Command(listed, {"rm", "requirements.txt"}), Command(folder, {"uv", "sync"})};
}

Result<std::vector<ProcessSpec>> PoetryCommands(const std::string& folder, const std::string& name) {
  const std::string described = FolderWith("pyproject.toml", folder, "/");
  const std::string listed = FolderWith("requirements.txt", folder, "/");
  const std::string& project = !described.empty() ? described : !listed.empty() ? listed : folder;
  if (described.empty()) {
    const Status made = DescribeForPoetry(name, project);
    if (!made.ok()) return made;
  }
  return std::vector{Command(project, {"poetry", "install", "--no-ansi"})};
}

// Programs are run in the environment of the option `virtualenv`, so uv must fill that one.
void PlaceUvEnvironment(const std::string& named, const std::string& root, ProcessSpec* command) {
  if (named.empty()) return;
  const std::string environment = (fs::path(root) / named).lexically_normal().string();
  command->environment = PluginEnvironment({{"UV_PROJECT_ENVIRONMENT", environment}});
}

// The program, which has the name if it is a project's, is within `root`, to which the options refer.
Result<std::vector<ProcessSpec>> PythonCommands(const std::string& name, const std::string& program,
                                                const std::string& root, const RuntimeOptions& options) {
  const std::string toolchain = Option(options, "toolchain");
  const std::string environment_option = Option(options, "virtualenv");
  if (toolchain == "uv") {
    std::vector<ProcessSpec> commands = UvCommands(program, name);
    for (ProcessSpec& command : commands) PlaceUvEnvironment(environment_option, root, &command);
    return commands;
  }
  if (toolchain == "poetry") return PoetryCommands(program, name);

  const std::string described = FolderWith("pyproject.toml", program, root);
  const std::string listed = FolderWith("requirements.txt", program, root);
  const std::string folder = !listed.empty() ? listed : !described.empty() ? described : program;
  const bool is_package = !described.empty();
  const bool has_requirements = !listed.empty();
  if (!is_package && !has_requirements && environment_option.empty()) return std::vector<ProcessSpec>();
  auto python = FindPython({}, folder, false);
  if (!python.ok()) return python.status();
  const fs::path environment =
      (fs::path(root) / (environment_option.empty() ? "venv" : environment_option)).lexically_normal();
  std::vector<ProcessSpec> commands = {Command(folder, {python->executable, "-m", "venv", environment.string()})};
  const auto install = [&](Arguments what) {
    Arguments argv = {(environment / "bin" / "python").string(), "-m", "pip", "install", "--disable-pip-version-check"};
    argv.insert(argv.end(), what.begin(), what.end());
    commands.push_back(Command(folder, std::move(argv)));
  };
  if (is_package) install({described});
  if (has_requirements) install({"-r", "requirements.txt"});
  return commands;
}

Result<std::vector<ProcessSpec>> NodeCommands(const std::string& folder, const RuntimeOptions& options) {
  Result<NodeInstallation> installation = InstallationOfNodePackages(folder, options);
  if (!installation.ok()) return installation.status();
  if (installation->argv.empty()) return std::vector<ProcessSpec>();
  return std::vector{Command(installation->folder, std::move(installation->argv))};
}

std::vector<ProcessSpec> GoCommands(const std::string& folder) {
  if (!Exists(fs::path(folder) / "go.mod")) return {};
  return {Command(folder, {"go", "mod", "tidy", "-compat=1.18"})};
}

// A program's own environment is made in its folder; the active one is only added to.
Result<std::vector<ProcessSpec>> PythonProgramCommands(const Project& project, const RuntimeOptions& options) {
  const std::string program = project.ProgramFolder(), root = project.folder();
  const std::string toolchain = Option(options, "toolchain");
  if (toolchain == "uv" || toolchain == "poetry" || !Option(options, "virtualenv").empty()) {
    return PythonCommands(project.name, program, root, options);
  }
  const std::string folder = FolderWith("requirements.txt", program, root);
  if (folder.empty()) return std::vector<ProcessSpec>();
  const auto python = FindPython(options, root, false);
  if (!python.ok()) return python.status();
  ProcessSpec install = Command(
      folder, {python->executable, "-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"});
  return std::vector{std::move(install)};
}

}  // namespace

bool MakesVirtualEnvironment(const ProcessSpec& command) {
  return command.argv.size() > 2 && command.argv[1] == "-m" && command.argv[2] == "venv";
}

Result<std::vector<ProcessSpec>> ProgramDependencyCommands(const Project& project) {
  const std::string folder = project.ProgramFolder();
  const RuntimeOptions options = OptionTexts(*project.runtime_options);
  if (project.runtime == "python") return PythonProgramCommands(project, options);
  if (project.runtime == "nodejs") return NodeCommands(folder, options);
  if (project.runtime == "go") return GoCommands(folder);
  return std::vector<ProcessSpec>();
}

Result<std::vector<ProcessSpec>> DependencyCommands(const std::string& folder) {
  std::string runtime;
  RuntimeOptions options;
  if (Exists(fs::path(folder) / "PulumiPlugin.yaml")) {
    auto description = ReadPluginDescription(folder);
    if (!description.ok()) return description.status();
    runtime = description->runtime;
    options = description->options;
  } else if (Exists(fs::path(folder) / "PulumiPolicy.yaml")) {
    auto pack = LoadPolicyPack(folder);
    if (!pack.ok()) return pack.status();
    runtime = pack->runtime;
    options = pack->options;
  }
  if (runtime == "python") return PythonCommands("", folder, folder, options);
  if (runtime == "nodejs") return NodeCommands(folder, options);
  if (runtime == "go") return GoCommands(folder);
  return std::vector<ProcessSpec>();
}

}  // namespace kingpost
