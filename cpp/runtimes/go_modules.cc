// SPDX-License-Identifier: Apache-2.0
#include "runtimes/go_modules.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/json_access.h"
#include "base/os.h"
#include "processes/plugin_environment.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// The modules in the output of `go list -m` with kModuleFormat.
constexpr const char* kModuleFormat = "{{.Path}}\t{{.Version}}\t{{.Dir}}";
std::vector<GoModule> ReadModules(const std::string& output) {
  std::vector<GoModule> modules;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    modules.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return modules;
}

// The paths of the modules that a go.mod requires, from `go mod edit -json`.
std::vector<std::string> RequiredPaths(const std::string& output) {
  std::vector<std::string> paths;
  for (const auto& module : ListOf(ParseJson(output), "Require")) paths.push_back(TextOf(module, "Path"));
  return paths;
}

void FindVendored(const fs::path& folder, std::vector<GoModule>* modules) {
  for (GoModule& module : *modules) {
    std::error_code error;
    if (module.folder.empty() && fs::is_directory(folder / module.path, error)) module.folder = folder / module.path;
  }
}

// The folder with the copies of modules that `go mod vendor` leaves beside go.mod, or `go work vendor` beside the
// go.work above it; "" if there is none.
std::string VendorFolder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder / "vendor", error)) return (folder / "vendor").string();
  if (GetEnvironment("GOWORK") == "off") return "";
  for (fs::path at = folder;; at = at.parent_path()) {
    if (fs::exists(at / "go.work", error))
      return fs::is_directory(at / "vendor", error) ? (at / "vendor").string() : "";
    if (at == at.root_path()) return "";
  }
}

// The standard output of a Go command; "" if it fails.
Task<std::string> Go(RuntimeTools tools, std::string folder, std::vector<std::string> arguments,
                     std::map<std::string, std::string> environment) {
  const std::string go = FindOnPath("go");
  if (go.empty()) co_return "";
  ProcessSpec spec;
  spec.argv = {go};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  environment.insert(tools.options.environment.begin(), tools.options.environment.end());
  spec.environment = PluginEnvironment(environment);
  spec.working_directory = std::move(folder);
  std::string output;
  auto collect = ProgramRunner::CollectOutput(&output);
  auto running = tools.runner.RunToEnd(std::move(spec), std::move(collect), nullptr);
  auto exit = co_await std::move(running);
  co_return exit.ok() && exit->ok() ? output : "";
}

Task<std::vector<GoModule>> ListModules(RuntimeTools tools, std::string folder, std::vector<std::string> paths) {
  std::vector<std::string> arguments = {"list", "-m", "-f", kModuleFormat};
  arguments.insert(arguments.end(), paths.begin(), paths.end());
  auto listing = Go(tools, std::move(folder), std::move(arguments), {});
  co_return ReadModules(co_await std::move(listing));
}

}  // namespace

Task<std::vector<GoModule>> FindGoModules(RuntimeTools tools) {
  std::vector<GoModule> modules;
  const std::string program = tools.options.project.ProgramFolder();
  auto locating = Go(tools, program, {"list", "-m", "-f", "{{.GoMod}}"}, {{"GOWORK", "off"}});
  std::string go_mod = co_await std::move(locating);
  go_mod.erase(std::min(go_mod.find('\n'), go_mod.size()));
  if (go_mod.empty()) co_return modules;
  const std::string folder = fs::path(go_mod).parent_path().string();
  auto reading = Go(tools, folder, {"mod", "edit", "-json", go_mod}, {});
  const std::vector<std::string> paths = RequiredPaths(co_await std::move(reading));
  if (paths.empty()) co_return modules;

  modules = co_await ListModules(tools, folder, paths);
  if (const std::string vendor = VendorFolder(folder); !vendor.empty()) {
    FindVendored(vendor, &modules);
    co_return modules;
  }
  std::vector<std::string> download = {"mod", "download"};
  for (const GoModule& module : modules) {
    if (module.folder.empty()) download.push_back(module.path);
  }
  if (download.size() == 2) co_return modules;
  auto downloading = Go(tools, folder, std::move(download), {});
  co_await std::move(downloading);
  co_return co_await ListModules(tools, folder, paths);
}

}  // namespace kingpost
