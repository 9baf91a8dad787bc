// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_dependencies.h"

#include <filesystem>
#include <fstream>

#include "base/os.h"
#include "plugins/plugin_launch.h"
#include "processes/plugin_environment.h"
#include "runtimes/node_packages.h"
#include "workspace/poetry_project.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

DependencyStep Command(const std::string& folder, Arguments argv) {
  DependencyStep step;
  step.command.argv = std::move(argv);
  step.command.working_directory = folder;
  // Where poetry keeps its environments otherwise, nobody would find them again.
  step.command.environment = PluginEnvironment({{"POETRY_VIRTUALENVS_IN_PROJECT", "true"}});
  return step;
}

// The folder of the file, from `folder` upwards to `root`; "" if there is none.
std::string FolderWith(const char* file, const fs::path& folder, const fs::path& root) {
  for (fs::path at = folder;; at = at.parent_path()) {
    if (Exists(at / file)) return at.string();
    if (at == root || at == at.parent_path()) return "";
  }
}

// A program of uv or poetry that has no pyproject.toml, there or above, gets one from its requirements.txt, there or
// above, which then goes: packages are listed once.
constexpr char kListMoved[] = "Deleted requirements.txt, dependencies for this project are tracked in pyproject.toml";

DependencySteps DescribeForUv(const std::string& folder, const std::string& name) {
  const bool described =
      !FolderWith("pyproject.toml", folder, "/").empty() || !FolderWith("uv.lock", folder, "/").empty();
  const std::string listed = FolderWith("requirements.txt", folder, "/");
  if (described || listed.empty()) return {};
  Arguments init = {"uv", "init", "--bare", "--no-package", "--no-pin-python"};
  if (!name.empty()) init.insert(init.end(), {"--name", name});
  DependencyStep remove;
  remove.act = [list = fs::path(listed) / "requirements.txt"] {
    std::error_code error;
    fs::remove(list, error);
    return error ? FileError(list.string(), "remove", error.value()) : Status::Ok();
  };
  remove.done = kListMoved;
  return {Command(listed, std::move(init)), Command(listed, {"uv", "add", "--no-sync", "-r", "requirements.txt"}),
          std::move(remove)};
}

DependencySteps DescribeForPoetry(const std::string& folder, const std::string& name) {
  if (!FolderWith("pyproject.toml", folder, "/").empty()) return {};
  const std::string listed = FolderWith("requirements.txt", folder, "/");
  DependencyStep describe;
  describe.act = [name, project = listed.empty() ? folder : listed] { return WritePoetryProject(name, project); };
  if (!listed.empty()) describe.done = kListMoved;
  return {std::move(describe)};
}

// uv finds workspaces itself.
DependencySteps UvSteps(const std::string& folder, const std::string& name) {
  DependencySteps steps = DescribeForUv(folder, name);
  steps.push_back(Command(folder, {"uv", "sync"}));
  return steps;
}

DependencySteps PoetrySteps(const std::string& folder, const std::string& name) {
  const std::string described = FolderWith("pyproject.toml", folder, "/");
  const std::string listed = FolderWith("requirements.txt", folder, "/");
  const std::string& project = !described.empty() ? described : !listed.empty() ? listed : folder;
  DependencySteps steps = DescribeForPoetry(folder, name);
  steps.push_back(Command(project, {"poetry", "install", "--no-ansi"}));
  return steps;
}

// Programs are run in the environment of the option `virtualenv`, so uv must fill that one.
void PlaceUvEnvironment(const std::string& named, const std::string& root, DependencyStep* step) {
  if (named.empty()) return;
  const std::string environment = (fs::path(root) / named).lexically_normal().string();
  step->command.environment = PluginEnvironment({{"UV_PROJECT_ENVIRONMENT", environment}});
}

// What is there already and was finished stays so while packages are added to it.
DependencyStep MarkUnfinished(const fs::path& environment) {
  DependencyStep step;
  step.act = [environment] {
    if (Exists(environment / "bin" / "python")) return Status::Ok();
    std::error_code error;
    fs::create_directories(environment, error);
    std::ofstream(environment / kUnfinishedEnvironment)
        .flush();  // without it an interruption is not noticed, and nothing else
    return Status::Ok();
  };
  return step;
}

DependencyStep MarkFinished(const fs::path& environment) {
  DependencyStep step;
  step.act = [environment] {
    std::error_code error;
    const fs::path mark = environment / kUnfinishedEnvironment;
    fs::remove(mark, error);
    return error ? FileError(mark.string(), "remove", error.value()) : Status::Ok();
  };
  return step;
}

// The program, which has the name if it is a project's, is within `root`, to which the options refer.
Result<DependencySteps> PythonSteps(const std::string& name, const std::string& program, const std::string& root,
                                    const RuntimeOptions& options) {
  const std::string toolchain = Option(options, "toolchain");
  const std::string environment_option = Option(options, "virtualenv");
  if (toolchain == "uv") {
    DependencySteps steps = UvSteps(program, name);
    for (DependencyStep& step : steps) PlaceUvEnvironment(environment_option, root, &step);
    return steps;
  }
  if (toolchain == "poetry") return PoetrySteps(program, name);

  const std::string described = FolderWith("pyproject.toml", program, root);
  const std::string listed = FolderWith("requirements.txt", program, root);
  const std::string folder = !listed.empty() ? listed : !described.empty() ? described : program;
  const bool is_package = !described.empty();
  const bool has_requirements = !listed.empty();
  if (!is_package && !has_requirements && environment_option.empty()) return DependencySteps();
  auto python = FindPython({}, folder, false);
  if (!python.ok()) return python.status();
  const fs::path environment =
      (fs::path(root) / (environment_option.empty() ? "venv" : environment_option)).lexically_normal();
  DependencySteps steps = {MarkUnfinished(environment),
                           Command(folder, {python->executable, "-m", "venv", environment.string()})};
  const auto install = [&](Arguments what) {
    Arguments argv = {(environment / "bin" / "python").string(), "-m", "pip", "install", "--disable-pip-version-check"};
    argv.insert(argv.end(), what.begin(), what.end());
    steps.push_back(Command(folder, std::move(argv)));
  };
  if (is_package) install({described});
  if (has_requirements) install({"-r", "requirements.txt"});
  steps.push_back(MarkFinished(environment));
  return steps;
}

Result<DependencySteps> NodeSteps(const std::string& folder, const RuntimeOptions& options) {
  Result<NodeInstallation> installation = InstallationOfNodePackages(folder, options);
  if (!installation.ok()) return installation.status();
  if (installation->argv.empty()) return DependencySteps();
  return DependencySteps{Command(installation->folder, std::move(installation->argv))};
}

DependencySteps GoSteps(const std::string& folder) {
  if (!Exists(fs::path(folder) / "go.mod")) return {};
  return {Command(folder, {"go", "mod", "tidy", "-compat=1.18"})};
}

// A program's own environment is made in its folder; the active one is only added to.
Result<DependencySteps> PythonProgramSteps(const Project& project, const RuntimeOptions& options) {
  const std::string program = project.ProgramFolder(), root = project.folder();
  const std::string toolchain = Option(options, "toolchain");
  if (toolchain == "uv" || toolchain == "poetry" || !Option(options, "virtualenv").empty()) {
    return PythonSteps(project.name, program, root, options);
  }
  const std::string folder = FolderWith("requirements.txt", program, root);
  if (folder.empty()) return DependencySteps();
  const auto python = FindPython(options, root, false);
  if (!python.ok()) return python.status();
  DependencyStep install = Command(
      folder, {python->executable, "-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"});
  return DependencySteps{std::move(install)};
}

}  // namespace

bool MakesVirtualEnvironment(const DependencyStep& step) {
  const Arguments& argv = step.command.argv;
  return argv.size() > 2 && argv[1] == "-m" && argv[2] == "venv";
}

Result<DependencySteps> DescriptionSteps(const Project& project) {
  const std::string toolchain = Option(OptionTexts(*project.runtime_options), "toolchain");
  if (project.runtime != "python") return DependencySteps();
  if (toolchain == "uv") return DescribeForUv(project.ProgramFolder(), project.name);
  if (toolchain == "poetry") return DescribeForPoetry(project.ProgramFolder(), project.name);
  return DependencySteps();
}

Result<DependencySteps> ProgramDependencySteps(const Project& project) {
  const std::string folder = project.ProgramFolder();
  const RuntimeOptions options = OptionTexts(*project.runtime_options);
  if (project.runtime == "python") return PythonProgramSteps(project, options);
  if (project.runtime == "nodejs") return NodeSteps(folder, options);
  if (project.runtime == "go") return GoSteps(folder);
  return DependencySteps();
}

Result<DependencySteps> PluginDependencySteps(const std::string& folder) {
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
  if (runtime == "python") return PythonSteps("", folder, folder, options);
  if (runtime == "nodejs") return NodeSteps(folder, options);
  if (runtime == "go") return GoSteps(folder);
  return DependencySteps();
}

}  // namespace kingpost
