// SPDX-License-Identifier: Apache-2.0
#include "runtimes/script_runtimes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "base/json_access.h"
#include "base/os.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

PythonInterpreter VirtualEnvironment(const fs::path& folder) {
  PythonInterpreter runtime;
  runtime.executable = (folder / "bin" / "python").string();
  runtime.environment["VIRTUAL_ENV"] = folder.string();
  runtime.environment["PATH"] = (folder / "bin").string() + ":" + GetEnvironment("PATH");
  return runtime;
}

bool HasPython(const fs::path& environment) { return IsExecutableFile((environment / "bin" / "python").string()); }

// The environment of a workspace is beside the workspace's own description, above the project.
std::optional<fs::path> EnvironmentAbove(const fs::path& folder) {
  for (fs::path at = fs::absolute(folder).lexically_normal();; at = at.parent_path()) {
    if (HasPython(at / ".venv")) return at / ".venv";
    if (at == at.parent_path()) return std::nullopt;
  }
}

// The virtual environment to use when the options name none.
std::optional<fs::path> UsualEnvironment(const RuntimeOptions& options, const fs::path& folder, bool is_plugin) {
  const std::string toolchain = Option(options, "toolchain");
  const std::string named = toolchain == "uv" ? GetEnvironment("UV_PROJECT_ENVIRONMENT") : "";
  if (!named.empty()) return fs::absolute(folder / named).lexically_normal();
  if (toolchain == "uv" || toolchain == "poetry") return EnvironmentAbove(folder);
  if (!is_plugin) return std::nullopt;
  for (const char* usual : {"venv", ".venv"}) {
    if (HasPython(folder / usual)) return fs::absolute(folder / usual);
  }
  return std::nullopt;
}

}  // namespace

RuntimeOptions OptionTexts(const nlohmann::json& options) {
  RuntimeOptions texts;
  if (!options.is_object()) return texts;
  for (const auto& [name, value] : options.items()) {
    texts[name] = value.is_string() ? TextIn(value) : value.dump();
  }
  return texts;
}

std::string Option(const RuntimeOptions& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "" : found->second;
}

bool IsExecutableFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string FindOnPath(const std::string& name) {
  const std::string path = GetEnvironment("PATH");
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = path.find(':', begin);
    if (end == std::string::npos) end = path.size();
    const std::string folder = path.substr(begin, end - begin);
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (IsExecutableFile(candidate)) return fs::absolute(candidate).lexically_normal().string();
    begin = end + 1;
  }
  return "";
}

Result<PythonInterpreter> FindPython(const RuntimeOptions& options, const std::string& folder, bool is_plugin) {
  const std::string named = Option(options, "virtualenv");
  if (!named.empty()) {
    const fs::path environment = fs::absolute(fs::path(folder) / named).lexically_normal();
    if (HasPython(environment)) return VirtualEnvironment(environment);
    return Status(Code::kNotFound, "there is no virtual environment in " + environment.string() +
                                       ": make it with `python3 -m venv " + environment.string() +
                                       "` and install the requirements into it, or change the `virtualenv` option of " +
                                       folder);
  }
  const std::optional<fs::path> usual = UsualEnvironment(options, folder, is_plugin);
  if (usual && HasPython(*usual)) return VirtualEnvironment(*usual);
  const std::string chosen = GetEnvironment("PULUMI_PYTHON_CMD");
  if (!chosen.empty()) {
    const std::string found = chosen.find('/') == std::string::npos ? FindOnPath(chosen) : chosen;
    if (!found.empty()) return PythonInterpreter{found, {}};
    return Status(Code::kNotFound, "PULUMI_PYTHON_CMD is " + chosen + ", which is not on PATH");
  }
  for (const char* name : {"python3", "python"}) {
    const std::string found = FindOnPath(name);
    if (!found.empty()) return PythonInterpreter{found, {}};
  }
  return Status(Code::kNotFound,
                "found neither python3 nor python on PATH: install Python, or name it in "
                "PULUMI_PYTHON_CMD");
}

Result<std::string> FindNodeModule(const std::string& module, const std::string& folder) {
  for (fs::path at = fs::absolute(folder).lexically_normal();; at = at.parent_path()) {
    const fs::path candidate = at / "node_modules" / module;
    std::error_code error;
    if (fs::is_regular_file(candidate / "index.js", error)) return (candidate / "index.js").string();
    if (fs::is_regular_file(candidate.string() + ".js", error)) return candidate.string() + ".js";
    if (at == at.root_path()) break;
  }
  return Status(Code::kNotFound, "Cannot find module '" + module + "' from " + folder +
                                     ": install its dependencies with npm, yarn or pnpm");
}

std::map<std::string, std::string> NodeEnvironment(const RuntimeOptions& options) {
  std::map<std::string, std::string> environment;
  if (Option(options, "typescript") != "false") environment["PULUMI_NODEJS_TYPESCRIPT"] = "true";
  const std::string configuration = Option(options, "tsconfig");
  if (!configuration.empty()) environment["PULUMI_NODEJS_TSCONFIG_PATH"] = configuration;
  return environment;
}

std::vector<std::string> NodeArguments(const RuntimeOptions& options) {
  std::vector<std::string> arguments;
  std::string current;
  char quote = 0;
  bool open = false;
  for (char c : Option(options, "nodeargs")) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        current += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (open) arguments.push_back(std::exchange(current, ""));
      open = false;
    } else {
      current += c;
      open = true;
    }
  }
  if (open) arguments.push_back(current);
  return arguments;
}

}  // namespace kingpost
