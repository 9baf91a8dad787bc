#include "rpc/plugin_dependencies.h"

#include <filesystem>

#include "rpc/native_language_host.h"
#include "rpc/plugin_environment.h"
#include "rpc/plugin_launch.h"

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

Result<std::vector<ProcessSpec>> PythonCommands(const std::string& folder, const RuntimeOptions& options) {
  const std::string toolchain = Option(options, "toolchain");
  if (toolchain == "uv") return std::vector{Command(folder, {"uv", "sync"})};
  if (toolchain == "poetry") return std::vector{Command(folder, {"poetry", "install", "--no-ansi"})};

  const bool is_package = Exists(fs::path(folder) / "pyproject.toml");
  const bool has_requirements = Exists(fs::path(folder) / "requirements.txt");
  const std::string named = Option(options, "virtualenv");
  if (!is_package && !has_requirements && named.empty()) return std::vector<ProcessSpec>();
  auto python = FindPython({}, folder, false);
  if (!python.ok()) return python.status();
  const fs::path environment = fs::path(folder) / (named.empty() ? "venv" : named);
  std::vector<ProcessSpec> commands = {Command(folder, {python->executable, "-m", "venv", environment.string()})};
  const auto install = [&](Arguments what) {
    Arguments argv = {(environment / "bin" / "python").string(), "-m", "pip", "install", "--disable-pip-version-check"};
    argv.insert(argv.end(), what.begin(), what.end());
    commands.push_back(Command(folder, std::move(argv)));
  };
  if (is_package) install({"."});
  if (has_requirements) install({"-r", "requirements.txt"});
  return commands;
}

std::string NodePackageManager(const std::string& folder, const RuntimeOptions& options) {
  const std::string named = Option(options, "packagemanager");
  if (!named.empty() && named != "auto") return named;
  const std::pair<const char*, const char*> locks[] = {
      {"yarn.lock", "yarn"}, {"pnpm-lock.yaml", "pnpm"}, {"bun.lockb", "bun"}, {"bun.lock", "bun"}};
  for (const auto& [lock, manager] : locks) {
    if (Exists(fs::path(folder) / lock) && !FindOnPath(manager).empty()) return manager;
  }
  return "npm";
}

std::vector<ProcessSpec> NodeCommands(const std::string& folder, const RuntimeOptions& options) {
  if (!Exists(fs::path(folder) / "package.json")) return {};
  const std::string manager = NodePackageManager(folder, options);
  if (manager != "npm") return {Command(folder, {manager, "install"})};
  return {Command(folder, {"npm", "install", "--no-audit", "--no-fund", "--loglevel=error"})};
}

// A program's own environment is made in its folder; the active one is only added to.
Result<std::vector<ProcessSpec>> PythonProgramCommands(const std::string& folder, const RuntimeOptions& options) {
  const std::string toolchain = Option(options, "toolchain");
  if (toolchain == "uv" || toolchain == "poetry" || !Option(options, "virtualenv").empty()) {
    return PythonCommands(folder, options);
  }
  if (!Exists(fs::path(folder) / "requirements.txt")) return std::vector<ProcessSpec>();
  const auto python = FindPython(options, folder, false);
  if (!python.ok()) return python.status();
  ProcessSpec install = Command(
      folder, {python->executable, "-m", "pip", "install", "--disable-pip-version-check", "-r", "requirements.txt"});
  return std::vector{std::move(install)};
}

}  // namespace

Result<std::vector<ProcessSpec>> ProgramDependencyCommands(const Project& project) {
  const std::string folder = project.ProgramFolder();
  const RuntimeOptions options = OptionTexts(project.runtime_options);
  if (project.runtime == "python") return PythonProgramCommands(folder, options);
  if (project.runtime == "nodejs") return NodeCommands(folder, options);
  if (project.runtime == "go" && Exists(fs::path(folder) / "go.mod")) {
    return std::vector{Command(folder, {"go", "mod", "tidy", "-compat=1.18"})};
  }
  return std::vector<ProcessSpec>();
}

Result<std::vector<ProcessSpec>> DependencyCommands(const std::string& folder) {
  if (!Exists(fs::path(folder) / "PulumiPlugin.yaml")) return std::vector<ProcessSpec>();
  auto description = ReadPluginDescription(folder);
  if (!description.ok()) return description.status();
  if (description->runtime == "python") return PythonCommands(folder, description->options);
  if (description->runtime == "nodejs") return NodeCommands(folder, description->options);
  return std::vector<ProcessSpec>();
}

}  // namespace kingpost
