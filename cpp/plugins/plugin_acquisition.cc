// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_acquisition.h"

#include <algorithm>
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "base/url_masking.h"
#include "plugins/plugin_bridge.h"
#include "plugins/plugin_dependencies.h"
#include "plugins/repository_clone.h"
#include "remote/http/http_client.h"

namespace kingpost {

namespace {

constexpr int kSideBySideMax = 64;

// A repository is cloned by a process, later.
Status FillFolder(PluginInstallation& installation, const PluginSpec& spec, const InstallOptions& options,
                  const DownloadContext& context) {
  if (!options.file.empty()) return installation.CopyFrom(options.file);
  if (IsRepositoryUrl(spec.download_url)) return Status::Ok();
  auto archive = DownloadPlugin(spec, context);
  if (!archive.ok()) return archive.status();
  return installation.Unpack(*archive, context);
}

// Blocks: everything up to the dependencies, but for repositories.
Result<std::shared_ptr<PluginInstallation>> Fill(PluginSpec spec, const InstallOptions& options,
                                                 const std::string& cache_folder, const DownloadContext& context) {
  if (spec.version.empty()) {
    auto version = FetchLatestVersion(spec, context);
    if (!version.ok()) return version.status().Wrap("could not find latest version for provider " + spec.name);
    spec.version = *version;
  }
  auto begun = PluginInstallation::Begin(spec, cache_folder, options.reinstall, context.cancelled);
  if (!begun.ok()) return begun.status();
  std::shared_ptr<PluginInstallation> installation = std::move(*begun);
  if (installation->is_complete()) return installation;
  const Status filled = FillFolder(*installation, spec, options, context);
  if (!filled.ok()) return installation->Abandon(filled);
  return installation;
}

Status NoRepository(const PluginSpec& spec) {
  return Status(Code::kInvalidArgument, "invalid Git URL: " + MaskUrls(spec.download_url) + " of the plugin " +
                                            spec.name + " is not the address of a repository; write host/owner/name");
}

bool IsGoPlugin(const std::string& folder) {
  const auto description = ReadPluginDescription(folder);
  return description.ok() && description->runtime == "go";
}

std::string KeyOf(const PluginSpec& spec) {
  return spec.kind + " " + spec.name + " " + spec.version + " " + spec.download_url;
}

}  // namespace

PluginAcquisition::PluginAcquisition(Loop& loop, AcquisitionOptions options)
    : loop_(loop), options_(std::move(options)), go_builds_(loop, options_.supervisor, options_.on_progress) {}

PluginAcquisition::~PluginAcquisition() {
  *alive_ = false;
  cancelled_ = true;
}

bool PluginAcquisition::IsAutomatic() {
  return !IsTruthy(GetEnvironment("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"));
}

WorkerPool& PluginAcquisition::workers() {
  const int wanted = options_.side_by_side;
  if (!workers_) {
    workers_ = std::make_unique<WorkerPool>(loop_, wanted < 1 ? kSideBySideMax : std::min(wanted, kSideBySideMax));
  }
  return *workers_;
}

DownloadContext PluginAcquisition::Context() {
  DownloadContext context;
  context.sources = SourceSettings::FromEnvironment();
  context.folder = options_.cache_folder;
  context.cancelled = &cancelled_;
  // The workers' news go through the loop, and nowhere once this object has gone.
  context.on_progress = [this, inbox = loop_.inbox(), alive = alive_](ProgressEvent event) {
    inbox->Post([this, alive, event = std::move(event)] {
      if (*alive && options_.on_progress) options_.on_progress(event);
    });
  };
  context.on_retry = [this, inbox = loop_.inbox(), alive = alive_](std::string text) {
    inbox->Post([this, alive, text = std::move(text)] {
      if (*alive && options_.on_retry) options_.on_retry(text);
    });
  };
  return context;
}

Task<Status> PluginAcquisition::Install(PluginSpec spec, InstallOptions options) {
  CompletePluginSpec(&spec);
  auto& known = pending_[KeyOf(spec)];
  if (known) {
    const auto pending = known;
    co_await pending->done;
    co_return pending->status;
  }
  known = std::make_shared<Pending>(loop_);
  const auto pending = known;
  auto installing = InstallOnce(std::move(spec), std::move(options));
  pending->status = co_await std::move(installing);
  pending->done.Set();
  co_return pending->status;
}

Task<Status> PluginAcquisition::InstallOnce(PluginSpec spec, InstallOptions options) {
  if (cancelled_) co_return Status(Code::kCancelled, "the plugin was not installed: the operation is cancelled");
  std::optional<PluginRepository> repository;
  std::optional<RepositoryVersion> cloned;
  if (IsRepositoryUrl(spec.download_url)) {
    repository = ParseRepository(spec.download_url);
    if (!repository) co_return NoRepository(spec);
    if (options.file.empty()) {
      auto choosing = VersionIn(*repository, spec.version);
      auto wanted = co_await std::move(choosing);
      if (!wanted.ok()) co_return wanted.status();
      spec.version = wanted->version;
      cloned = std::move(*wanted);
    }
  }
  auto fill = [spec, options, cache = options_.cache_folder, context = Context()] {
    return Fill(spec, options, cache, context);
  };
  auto filling = workers().Run(std::move(fill));
  auto filled = co_await std::move(filling);
  if (!filled.ok()) co_return filled.status();
  Installation installation = std::move(*filled);
  if (installation->is_complete()) co_return Status::Ok();
  Status status;
  if (cloned) {
    auto cloning = FillFrom(*repository, *cloned, spec.id(), installation->folder());
    status = co_await std::move(cloning);
  }
  if (status.ok()) {
    const std::string inside = repository && !repository->inside.empty() ? "/" + repository->inside : "";
    auto equipping = InstallDependencies(spec.id(), installation->folder() + inside);
    status = co_await std::move(equipping);
  }
  // Its end, too, is work for a worker: files are removed if it failed.
  auto finish = [installation = std::move(installation), status]() mutable {
    Status finished = status.ok() ? installation->Commit() : status;
    if (!finished.ok()) finished = installation->Abandon(finished);
    installation.reset();
    return finished;
  };
  auto finishing = workers().Run(std::move(finish));
  co_return co_await std::move(finishing);
}

Task<Status> PluginAcquisition::InstallDependencies(std::string id, std::string folder) {
  auto steps = PluginDependencySteps(folder);
  if (!steps.ok()) co_return steps.status();
  if (!steps->empty()) {
    ProgressReporter progress(options_.on_progress, "plugin-install", id, "Installing dependencies of plugin");
    progress.Update(0, 0);
    auto runner = NewRunner(id + " (dependencies)");
    for (DependencyStep& step : *steps) {
      auto running = step.act ? workers().Run(step.act) : RunInstaller(runner, std::move(step.command));
      Status status = co_await std::move(running);
      if (!status.ok()) co_return status.Wrap("installing the dependencies of plugin " + id);
    }
  }
  if (!IsGoPlugin(folder)) co_return Status::Ok();
  // Now, while the user watches, rather than when it is needed.
  auto building = Build(folder, "plugin " + id);
  const auto built = co_await std::move(building);
  co_return built.status();
}

std::shared_ptr<ProgramRunner> PluginAcquisition::NewRunner(std::string name) {
  auto runner = std::make_shared<ProgramRunner>(loop_, options_.supervisor, std::move(name));
  runners_.push_back(runner);
  return runner;
}

Task<Result<std::string>> PluginAcquisition::Build(std::string folder, std::string what, GoBuild build) {
  auto building = go_builds_.ProgramOf(workers(), std::move(folder), std::move(what), build);
  co_return co_await std::move(building);
}

Task<Result<std::string>> PluginAcquisition::LanguagePlugin(std::string name, DiscoveryOptions places) {
  const PluginQuery query = {"language", name, ""};
  auto plugin = FindPlugin(query, places);
  if (!plugin.ok() && IsAutomatic() && IsDownloadableLanguage(name)) {
    PluginSpec missing;
    missing.kind = query.kind;
    missing.name = name;
    auto installing = Install(missing);
    const Status installed = co_await std::move(installing);
    if (!installed.ok()) co_return AutomaticInstallFailed(missing, installed);
    plugin = FindPlugin(query, places);
  }
  if (!plugin.ok()) co_return plugin.status();
  MarkPluginUsed(*plugin);
  if (!plugin->is_directory) co_return plugin->path;
  co_return Status(
      Code::kInvalidArgument,
      "language plugin " + plugin->path + " is a folder: expected a program in it, called pulumi-language-" + name);
}

Task<Status> PluginAcquisition::Complete(PluginLaunch* launch, DiscoveryOptions places, std::string what) {
  if (!launch->go_folder.empty()) {
    const GoBuild build = launch->debugs_go ? GoBuild::kForDebugger : GoBuild::kDefault;
    auto building = Build(launch->go_folder, std::move(what), build);
    auto program = co_await std::move(building);
    if (!program.ok()) co_return program.status();
    launch->spec.argv[0] = std::move(*program);
  }
  if (!launch->language.empty()) {
    auto finding = LanguagePlugin(launch->language, std::move(places));
    auto program = co_await std::move(finding);
    if (!program.ok()) co_return program.status();
    launch->spec.argv[kLanguagePluginPlace] = std::move(*program);
  }
  co_return Status::Ok();
}

Task<Result<RepositoryVersion>> PluginAcquisition::VersionIn(PluginRepository repository, std::string version) {
  if (const auto commit = CommitVersion(version)) co_return *commit;
  auto listing = ListRefs(NewRunner("git"), repository);
  const auto refs = co_await std::move(listing);
  if (!refs.ok()) co_return refs.status();
  co_return ChooseVersion(repository, *refs, version);
}

Task<Status> PluginAcquisition::FillFrom(PluginRepository repository, RepositoryVersion version, std::string id,
                                         std::string folder) {
  ProgressReporter progress(options_.on_progress, "plugin-download", id, "Downloading plugin");
  progress.Update(0, 0);
  auto cloning = CloneRepository(NewRunner("git"), repository, version, folder);
  const Status cloned = co_await std::move(cloning);
  if (!cloned.ok()) co_return cloned;
  std::error_code error;
  if (repository.inside.empty() || std::filesystem::is_directory(folder + "/" + repository.inside, error)) {
    co_return Status::Ok();
  }
  co_return Status(Code::kNotFound,
                   MaskUrls(repository.url) + " has no folder '" + repository.inside + "' at " + version.ref);
}

Task<Status> PluginAcquisition::RunInstaller(std::shared_ptr<ProgramRunner> runner, ProcessSpec command) {
  std::string line, errors;
  for (const std::string& argument : command.argv) line += (line.empty() ? "" : " ") + argument;
  auto running = runner->RunToEnd(
      std::move(command), [](OutputStream, const std::string&) {}, &errors);
  auto exit = co_await std::move(running);
  if (!exit.ok()) co_return exit.status();
  if (exit->ok()) co_return Status::Ok();
  co_return Status(Code::kUnknown,
                   "`" + line + "` failed: " + exit->Describe() + (errors.empty() ? "" : "\n") + errors);
}

Task<Result<std::string>> PluginAcquisition::LatestVersion(PluginSpec spec) {
  CompletePluginSpec(&spec);
  if (!spec.version.empty()) co_return spec.version;
  if (IsRepositoryUrl(spec.download_url)) {
    const auto repository = ParseRepository(spec.download_url);
    if (!repository) co_return NoRepository(spec);
    auto choosing = VersionIn(*repository, "");
    const auto latest = co_await std::move(choosing);
    if (!latest.ok()) co_return latest.status();
    co_return latest->version;
  }
  auto asking = workers().Run([spec, context = Context()] { return FetchLatestVersion(spec, context); });
  co_return co_await std::move(asking);
}

void PluginAcquisition::Cancel() {
  cancelled_ = true;
  go_builds_.Cancel();
  for (const auto& runner : runners_) loop_.Spawn(runner->Cancel());
}

Status AutomaticInstallFailed(const PluginSpec& spec, const Status& status) {
  const std::string version = spec.version.empty() ? "" : " v" + spec.version;
  const std::string server = spec.download_url.empty() ? "" : " --server " + MaskUrls(spec.download_url);
  // To a program, Unavailable would mean that the engine has gone.
  const Code code = status.code() == Code::kCancelled ? Code::kCancelled : Code::kUnknown;
  return Status(code, "Could not automatically download and install " + spec.kind + " plugin '" + spec.executable() +
                          "'" + (version.empty() ? "" : " at version" + version) + ", install the plugin using " +
                          QuotedCommand("plugin install " + spec.kind + " " + spec.name + version + server) + ": " +
                          status.message());
}

}  // namespace kingpost
