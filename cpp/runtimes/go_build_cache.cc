// SPDX-License-Identifier: Apache-2.0
#include "runtimes/go_build_cache.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/cache_folder.h"
#include "base/os.h"
#include "processes/plugin_environment.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// Lists each package of the program, except Go's own: its folder, the go.mod of its module, whether it embeds
// files.
constexpr char kPackageFormat[] =
    "{{if not .Standard}}{{.Dir}}\t{{with .Module}}{{.GoMod}}{{end}}\t{{if .EmbedPatterns}}embeds{{end}}{{end}}";

// All that decides how the same sources are built: the compiler, and what the environment tells it.
std::string GoSettings(const GoSources& sources) {
  const std::string go = FindOnPath("go");
  struct stat info = {};
  stat(go.c_str(), &info);
  std::string settings = go + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtime) + "\n";
  for (const char* name : {"GOFLAGS", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOTOOLCHAIN", "GOWORK", "GOEXPERIMENT",
                           "GO111MODULE", "GODEBUG", "CGO_ENABLED", "CGO_CFLAGS", "CGO_LDFLAGS", "CC", "CXX"}) {
    const auto own = sources.environment.find(name);
    settings +=
        std::string(name) + "=" + (own == sources.environment.end() ? GetEnvironment(name) : own->second) + "\n";
  }
  // The program names its sources by their paths, so it is not that of a folder with the same content.
  const bool debugged = sources.build == GoBuild::kForDebugger;
  if (debugged || sources.build == GoBuild::kProgram)
    settings += (debugged ? "debugged in " : "runs in ") + sources.folder + "\n";
  return settings;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A workspace takes part in the build, and would once there is one.
void AddWorkspaces(const std::string& folder, const std::string& in_use, BuildInputs* inputs) {
  if (!in_use.empty()) {
    inputs->files.insert(inputs->files.end(), {in_use, in_use + ".sum"});
    if (in_use == "off") return;
  }
  for (fs::path at = folder;; at = at.parent_path()) {
    if ((at / "go.work").string() != in_use) inputs->files.push_back((at / "go.work").string());
    if (at == at.parent_path()) return;
  }
}

// `packages` is what kPackageFormat prints; what lies in the cache of modules never changes.
void AddPackages(const std::string& packages, const std::string& module_cache, BuildInputs* inputs) {
  std::vector<std::string> modules;
  for (const std::string& line : Lines(packages)) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string folder = line.substr(0, first), module = line.substr(first + 1, second - first - 1);
    if (!module_cache.empty() && folder.starts_with(module_cache + "/")) continue;
    (second + 1 < line.size() ? inputs->trees : inputs->folders).push_back(folder);
    if (!module.empty() && std::find(modules.begin(), modules.end(), module) == modules.end())
      modules.push_back(module);
  }
  for (const std::string& module : modules) {
    const fs::path root = fs::path(module).parent_path();
    inputs->files.insert(inputs->files.end(),
                         {module, (root / "go.sum").string(), (root / "vendor/modules.txt").string()});
  }
}

bool HasLineBreaks(const BuildInputs& inputs) {
  for (const auto* list : {&inputs.files, &inputs.folders, &inputs.trees}) {
    for (const std::string& path : *list) {
      if (path.find('\n') != std::string::npos) return true;
    }
  }
  return false;
}

// The standard output of a call of `go`.
Task<Result<std::string>> Output(ProgramRunner& runner, const GoSources& sources, std::vector<std::string> arguments) {
  ProcessSpec spec;
  spec.argv = {"go"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = PluginEnvironment(sources.environment);
  spec.working_directory = sources.folder;
  std::string output;
  auto collect = ProgramRunner::CollectOutput(&output);
  auto running = runner.RunToEnd(std::move(spec), std::move(collect), nullptr);
  const auto exit = co_await std::move(running);
  if (!exit.ok()) co_return exit.status();
  if (!exit->ok()) co_return Status(Code::kUnknown, "`go " + arguments[0] + "` failed: " + exit->Describe());
  co_return output;
}

// The files that the program is built of.
Task<Result<BuildInputs>> InputsOf(ProgramRunner& runner, const GoSources& sources) {
  auto asking = Output(runner, sources, {"env", "GOMOD", "GOWORK", "GOMODCACHE", "GOENV"});
  const auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  auto listing = Output(runner, sources, {"list", "-buildvcs=false", "-deps", "-f", kPackageFormat});
  const auto packages = co_await std::move(listing);
  if (!packages.ok()) co_return packages.status();
  std::vector<std::string> said = Lines(*answer);
  said.resize(4);
  BuildInputs inputs;
  for (const std::string& file : {said[0], said[3]}) {
    if (!file.empty()) inputs.files.push_back(file);
  }
  AddWorkspaces(sources.folder, said[1], &inputs);
  AddPackages(*packages, said[2], &inputs);
  if (HasLineBreaks(inputs)) co_return Status(Code::kUnimplemented, "paths with line breaks are not kept");
  co_return inputs;
}

// Removes a program that is not kept.
class ForOnce {
 public:
  ForOnce(BuildCache cache, std::string program) : cache_(std::move(cache)), program_(std::move(program)) {}
  ~ForOnce() { cache_.Drop(program_); }
  ForOnce(const ForOnce&) = delete;

 private:
  const BuildCache cache_;
  const std::string program_;
};

}  // namespace

Result<GoBuildCache> GoBuildCache::Open() {
  const std::string folder = CacheFolder();
  auto cache = BuildCache::Open(folder.empty() ? "" : folder + "/built");
  if (!cache.ok()) return cache.status();
  return GoBuildCache(std::move(*cache));
}

Task<std::string> GoBuildCache::Find(WorkerPool& workers, GoSources sources) const {
  auto find = [cache = cache_, sources] { return Result(cache.Find(sources.folder, GoSettings(sources))); };
  auto finding = workers.Run(find);
  co_return *co_await std::move(finding);
}

Task<Result<GoProgram>> GoBuildCache::Build(WorkerPool& workers, ProgramRunner& runner, GoSources sources,
                                            GoCompiler compile, std::shared_ptr<ProcessSupervisor> guardian) const {
  const BuildCache cache = cache_;
  const std::string folder = sources.folder, settings = GoSettings(sources);
  auto listing = InputsOf(runner, sources);
  const auto inputs = co_await std::move(listing);
  std::string content;
  if (inputs.ok()) {
    auto hash = [cache, folder, settings, listed = *inputs] {
      std::string now = ContentOf(listed, settings);
      return Result(std::pair(now, cache.Adopt(folder, listed, now)));
    };
    auto hashing = workers.Run(hash);
    const auto hashed = co_await std::move(hashing);
    if (!hashed->second.empty()) co_return GoProgram{hashed->second};
    content = hashed->first;
  }
  auto room = cache.NewBuildTarget();
  if (!room.ok()) co_return room.status();
  if (guardian) guardian->RemoveOnExit(fs::path(*room).parent_path().string());
  auto compiling = compile(*room);
  const Status compiled = co_await std::move(compiling);
  if (!compiled.ok()) {
    cache.Drop(*room);
    co_return compiled;
  }
  auto keep = [cache, folder, settings, program = *room, listed = inputs.ok() ? *inputs : BuildInputs(),
               content]() -> Result<GoProgram> {
    if (content.empty() || ContentOf(listed, settings) != content) {
      return GoProgram{program, std::make_shared<const ForOnce>(cache, program)};
    }
    Result<std::string> kept = cache.Keep(program, folder, listed, content);
    if (!kept.ok()) return kept.status();
    return GoProgram{std::move(*kept)};
  };
  auto keeping = workers.Run(keep);
  co_return co_await std::move(keeping);
}

}  // namespace kingpost
