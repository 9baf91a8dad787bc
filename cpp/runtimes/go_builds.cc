// SPDX-License-Identifier: Apache-2.0
#include "runtimes/go_builds.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

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
std::string GoSettings(const std::string& folder, GoBuild build) {
  const std::string go = FindOnPath("go");
  struct stat info = {};
  stat(go.c_str(), &info);
  std::string settings = go + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mtime) + "\n";
  for (const char* name : {"GOFLAGS", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOTOOLCHAIN", "GOWORK", "GOEXPERIMENT",
                           "GO111MODULE", "GODEBUG", "CGO_ENABLED", "CGO_CFLAGS", "CGO_LDFLAGS", "CC", "CXX"}) {
    settings += std::string(name) + "=" + GetEnvironment(name) + "\n";
  }
  // The program names its sources by their paths, so it is not that of a folder with the same content.
  if (build == GoBuild::kForDebugger) settings += "debugged in " + folder + "\n";
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

}  // namespace

Task<Result<std::string>> GoBuilds::ProgramOf(WorkerPool& workers, std::string folder, std::string what,
                                              GoBuild build) {
  const std::pair key(folder, build);
  if (const auto known = pending_.find(key); known != pending_.end()) {
    const auto pending = known->second;
    co_await pending->done;
    co_return pending->program;
  }
  const auto pending = std::make_shared<Pending>(loop_);
  pending_[key] = pending;
  auto building = FindOrBuild(workers, folder, std::move(what), build);
  pending->program = co_await std::move(building);
  pending_.erase(key);
  pending->done.Set();
  co_return pending->program;
}

Task<Result<std::string>> GoBuilds::FindOrBuild(WorkerPool& workers, std::string folder, std::string what,
                                                GoBuild build) {
  const std::string cache_folder = CacheFolder();
  auto cache = BuildCache::Open(cache_folder.empty() ? "" : cache_folder + "/built");
  if (!cache.ok()) co_return cache.status().Wrap("the " + what + " is in Go and has to be built");
  std::string settings = GoSettings(folder, build);
  Job job{std::move(folder), std::move(what), std::move(settings), build, std::move(*cache), nullptr};
  auto find = [job] { return Result(job.cache.Find(job.folder, job.settings)); };
  auto finding = workers.Run(find);
  auto found = co_await std::move(finding);
  if (!found->empty()) co_return found;
  if (cancelled_) co_return Status(Code::kCancelled, "the " + job.what + " was not built: the operation is cancelled");
  if (FindOnPath("go").empty()) {
    co_return Status(Code::kNotFound, "unable to find 'go' executable: install Go and put it on PATH, or build the " +
                                          job.what + " in " + job.folder + " into an executable");
  }
  ProgressReporter progress(on_progress_, "plugin-install", job.what, "Compiling");
  progress.Update(0, 0);
  job.runner = std::make_shared<ProgramRunner>(loop_, supervisor_, "go (" + job.what + ")");
  runners_.push_back(job.runner);
  auto building = Build(workers, job);
  auto built = co_await std::move(building);
  std::erase(runners_, job.runner);
  co_return built;
}

Task<Result<std::string>> GoBuilds::Build(WorkerPool& workers, Job job) {
  auto listing = InputsOf(job.runner, job.folder);
  const auto inputs = co_await std::move(listing);
  std::string content;
  if (inputs.ok()) {
    auto hash = [job, listed = *inputs] {
      std::string now = ContentOf(listed, job.settings);
      return Result(std::pair(now, job.cache.Adopt(job.folder, listed, now)));
    };
    auto hashing = workers.Run(hash);
    const auto hashed = co_await std::move(hashing);
    if (!hashed->second.empty()) co_return hashed->second;
    content = hashed->first;
  }
  auto room = job.cache.MakeRoom();
  if (!room.ok()) co_return room.status();
  auto compiling = Compile(job.runner, job.folder, *room, job.build);
  const Status compiled = co_await std::move(compiling);
  if (!compiled.ok()) {
    job.cache.Drop(*room);
    co_return compiled.Wrap("the " + job.what + " in " + job.folder);
  }
  // An edit during the build may be in the program, or may not: such a program is used once.
  auto keep = [job, program = *room, listed = inputs.ok() ? *inputs : BuildInputs(), content]() -> Result<std::string> {
    const bool unchanged = !content.empty() && ContentOf(listed, job.settings) == content;
    return unchanged ? job.cache.Keep(program, job.folder, listed, content) : Result(program);
  };
  auto keeping = workers.Run(keep);
  co_return co_await std::move(keeping);
}

Task<Result<BuildInputs>> GoBuilds::InputsOf(Runner runner, std::string folder) {
  auto asking = Output(runner, folder, {"env", "GOMOD", "GOWORK", "GOMODCACHE", "GOENV"});
  const auto answer = co_await std::move(asking);
  if (!answer.ok()) co_return answer.status();
  auto listing = Output(runner, folder, {"list", "-buildvcs=false", "-deps", "-f", kPackageFormat});
  const auto packages = co_await std::move(listing);
  if (!packages.ok()) co_return packages.status();
  std::vector<std::string> said = Lines(*answer);
  said.resize(4);
  BuildInputs inputs;
  for (const std::string& file : {said[0], said[3]}) {
    if (!file.empty()) inputs.files.push_back(file);
  }
  AddWorkspaces(folder, said[1], &inputs);
  AddPackages(*packages, said[2], &inputs);
  if (HasLineBreaks(inputs)) co_return Status(Code::kUnimplemented, "paths with line breaks are not kept");
  co_return inputs;
}

Task<Status> GoBuilds::Compile(Runner runner, std::string folder, std::string target, GoBuild build) {
  ProcessSpec spec;
  spec.argv = GoBuildCommand("go", target, build);
  spec.environment = PluginEnvironment({});
  spec.working_directory = folder;
  std::string errors;
  auto building = runner->RunToEnd(
      std::move(spec), [](OutputStream, const std::string&) {}, &errors);
  const auto exit = co_await std::move(building);
  if (!exit.ok()) co_return exit.status();
  if (!exit->ok()) {
    co_return Status(Code::kInvalidArgument, "error in compiling Go: unable to run `go build`: " + exit->Describe() +
                                                 (errors.empty() ? "" : "\n") + errors);
  }
  if (IsExecutableFile(target)) co_return Status::Ok();
  co_return Status(Code::kInvalidArgument,
                   "error in compiling Go: go program is not executable, does your program have a 'main' package?");
}

Task<Result<std::string>> GoBuilds::Output(Runner runner, std::string folder, std::vector<std::string> arguments) {
  ProcessSpec spec;
  spec.argv = {"go"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = PluginEnvironment({});
  spec.working_directory = std::move(folder);
  std::string output;
  auto collect = ProgramRunner::CollectOutput(&output);
  auto running = runner->RunToEnd(std::move(spec), std::move(collect), nullptr);
  const auto exit = co_await std::move(running);
  if (!exit.ok()) co_return exit.status();
  if (!exit->ok()) co_return Status(Code::kUnknown, "`go " + arguments[0] + "` failed: " + exit->Describe());
  co_return output;
}

void GoBuilds::Cancel() {
  cancelled_ = true;
  for (const auto& runner : runners_) loop_.Spawn(runner->Cancel());
}

}  // namespace kingpost
