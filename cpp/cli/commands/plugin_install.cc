// SPDX-License-Identifier: Apache-2.0
// plugin install: downloads plugins into the cache, or copies one that is here already (row 2.18).
#include <unistd.h>

#include <filesystem>

#include "base/encoding.h"
#include "cli/commands/shared.h"
#include "cli/display/downloads.h"
#include "cli/display/output.h"
#include "cli/exit_code.h"
#include "cli/process_host.h"
#include "naming/dynamic_provider.h"
#include "naming/provider_inputs.h"
#include "net/http_client.h"
#include "rpc/plugin_acquisition.h"
#include "rpc/plugin_discovery.h"

namespace kingpost {

namespace {

struct InstallChoice {
  std::string kind, name, version, server, checksum, file;
  bool exact = false, reinstall = false;
  int parallel = 4;
};

// What plugins of the language say while nothing is deployed.
class Bystander : public EngineService {
 public:
  explicit Bystander(Session& session) : session_(session) {}
  void Log(Severity severity, std::string message, std::string, int, bool ephemeral) override {
    if (!ephemeral && severity >= Severity::kWarning) session_.Note(message);
  }
  std::string root_resource() override { return ""; }
  void set_root_resource(std::string) override {}
  void StartDebugging(std::map<std::string, std::string>, std::string) override {}
  Status RequireVersion(const std::string&) override { return Status::Ok(); }
  Status PublishViewSteps(const std::string&, std::vector<ViewStep>) override {
    return Status(Code::kUnimplemented, "no operation is under way");
  }

 private:
  Session& session_;
};

// The progress of all downloads in one line of the terminal.
class ProgressLine {
 public:
  void Show(const ProgressEvent& event) {
    downloads_.Apply(event);
    if (!IsTerminal(STDERR_FILENO)) return;
    const std::vector<std::string> lines = downloads_.Lines(SizeOf(STDERR_FILENO).columns - 1);
    Output(STDERR_FILENO).Write("\r\x1b[K" + (lines.empty() ? "" : lines.front()));
  }

 private:
  Downloads downloads_;
};

std::string LabelOf(const PluginSpec& spec) { return "[" + spec.kind + " plugin " + spec.id() + "]"; }

// What this program is itself, rather than a plugin of it.
bool IsBuiltIn(const PluginSpec& spec) {
  const std::string& name = spec.name;
  if (spec.kind == "language") return name == "nodejs" || name == "python" || name == "go" || name == "yaml";
  return spec.kind == "resource" && (name == "pulumi" || naming::IsDynamicProvider(name));
}

Status ReadChecksum(const std::string& text, PluginSpec* spec) {
  if (text.empty()) return Status::Ok();
  auto bytes = HexDecode(text);
  if (!bytes || bytes->size() != 32) {
    return UsageError("--checksum was not a valid hex string: expected the 64 digits of a SHA-256");
  }
  spec->checksums[PluginPlatform::Here().key()] = std::move(*bytes);
  return Status::Ok();
}

Result<PluginSpec> NamedPlugin(const InstallChoice& choice) {
  const char* const kinds[] = {"analyzer", "language", "resource", "converter", "tool"};
  if (std::find(std::begin(kinds), std::end(kinds), choice.kind) == std::end(kinds)) {
    return UsageError("unrecognized plugin kind: " + choice.kind);
  }
  if (choice.name.empty()) return UsageError("missing plugin name argument");
  PluginSpec spec;
  spec.kind = choice.kind;
  spec.download_url = choice.server;
  const size_t at = choice.name.rfind('@');
  spec.name = choice.name.substr(0, at);
  if (spec.name.find('/') != std::string::npos) {
    return Fail(ExitCode::kFailed, "plugins are not built from git repositories here: clone " + spec.name +
                                       " and install its folder with --file");
  }
  const std::string in_name = at == std::string::npos ? "" : choice.name.substr(at + 1);
  if (!in_name.empty() && !choice.version.empty()) {
    return UsageError("cannot specify both \"@" + in_name + "\" and \"" + choice.version + "\" as a version");
  }
  const std::string& version = in_name.empty() ? choice.version : in_name;
  if (!version.empty()) {
    spec.version = naming::TolerantSemver(version);
    if (spec.version.empty()) return UsageError("invalid plugin semver: " + version);
  }
  if (spec.version.empty() && !choice.file.empty()) {
    return UsageError("missing plugin version argument, this is required if installing from a file");
  }
  if (IsBuiltIn(spec)) {
    return Fail(ExitCode::kFailed, "the " + spec.name + " " + spec.kind +
                                       " plugin is part of this program, and cannot be directly installed");
  }
  const Status checksum = ReadChecksum(choice.checksum, &spec);
  if (!checksum.ok()) return checksum;
  return spec;
}

Task<Result<std::vector<RequiredPackage>>> AskLanguage(PluginHost* host) {
  auto loading = host->LoadLanguageHost();
  auto language = co_await std::move(loading);
  if (!language.ok()) co_return language.status();
  auto asking = (*language)->GetRequiredPackages();
  auto packages = co_await std::move(asking);
  auto closing = host->Close();
  co_await std::move(closing);
  co_return packages;
}

Result<std::vector<PluginSpec>> ProjectPlugins(Session& session, Loop& loop) {
  const Result<const Project*> project = session.project();
  if (!project.ok()) return project.status();
  auto host = NewProcessHost(loop, **project, {});
  if (!host.ok()) return host.status();
  Bystander bystander(session);
  (*host)->set_engine_service(&bystander);
  auto packages = loop.RunUntilDone(AskLanguage(host->get()));
  if (!packages.ok()) return packages.status().Wrap("failed to discover plugin requirements");
  std::vector<PluginSpec> plugins;
  for (const RequiredPackage& package : *packages) {
    PluginSpec spec = {package.kind, package.name, package.version, package.download_url, package.checksums};
    if (!IsBuiltIn(spec)) plugins.push_back(std::move(spec));
  }
  return plugins;
}

// What `plugins` in Pulumi.yaml names stands beside the program: nothing has to be fetched.
void LeaveOutLocal(const Project& project, std::vector<PluginSpec>* plugins) {
  DiscoveryOptions local = DiscoveryOptions::FromEnvironment(project);
  local.cache_folder.clear();
  local.program_folder.clear();
  local.search_path = false;
  std::erase_if(*plugins, [&](const PluginSpec& spec) {
    return FindPlugin({spec.kind, spec.name, spec.version}, local).ok();
  });
}

Task<Status> InstallOne(Session* session, PluginAcquisition* acquisition, DiscoveryOptions cache, PluginSpec spec,
                        InstallOptions options) {
  if (spec.version.empty()) {
    auto asking = acquisition->LatestVersion(spec);
    auto latest = co_await std::move(asking);
    if (!latest.ok()) co_return latest.status().Wrap("could not get latest version for plugin " + spec.name);
    spec.version = *latest;
  }
  if (!options.reinstall && FindPlugin({spec.kind, spec.name, spec.version}, cache).ok()) co_return Status::Ok();
  session->Note(LabelOf(spec) + " installing");
  auto installing = acquisition->Install(spec, options);
  const Status status = co_await std::move(installing);
  if (!options.file.empty()) co_return status.Wrap("installing " + LabelOf(spec) + " from " + options.file);
  co_return status.Wrap(LabelOf(spec) +
                        (spec.download_url.empty() ? "" : " downloading from " + PrintableUrl(spec.download_url)));
}

Task<void> Keep(Task<Status> task, Status* first) {
  const Status status = co_await std::move(task);
  if (first->ok()) *first = status;
}

Task<Status> InstallAll(Loop* loop, Session* session, PluginAcquisition* acquisition, DiscoveryOptions cache,
                        std::vector<PluginSpec> plugins, InstallOptions options) {
  Group group(*loop);
  Status first;
  for (PluginSpec& spec : plugins) {
    group.Spawn(Keep(InstallOne(session, acquisition, cache, std::move(spec), options), &first));
  }
  co_await group.Wait();
  co_return first;
}

Status Install(Session& session, const InstallChoice& choice) {
  Loop loop;
  std::vector<PluginSpec> plugins;
  if (!choice.kind.empty()) {
    auto named = NamedPlugin(choice);
    if (!named.ok()) return named.status();
    plugins.push_back(std::move(*named));
  } else {
    if (!choice.file.empty()) return UsageError("--file (-f) is only valid if a specific package is being installed");
    if (!choice.checksum.empty()) {
      return UsageError("--checksum is only valid if a specific package is being installed");
    }
    auto needed = ProjectPlugins(session, loop);
    if (!needed.ok()) return needed.status();
    plugins = std::move(*needed);
    LeaveOutLocal(**session.project(), &plugins);
  }

  auto supervisor = ProcessSupervisor::Start();
  if (!supervisor.ok()) return supervisor.status();
  // Only the cache counts: what is elsewhere may be gone tomorrow.
  DiscoveryOptions cache;
  cache.cache_folder = DiscoveryOptions::FromEnvironment(Project()).cache_folder;
  cache.search_path = false;
  ProgressLine line;
  AcquisitionOptions options;
  options.cache_folder = cache.cache_folder;
  options.supervisor = *supervisor;
  options.side_by_side = choice.parallel;
  options.on_progress = [&line](const ProgressEvent& event) { line.Show(event); };
  options.on_retry = [&session](const std::string& text) { session.Warn(text); };
  PluginAcquisition acquisition(loop, std::move(options));
  return loop.RunUntilDone(
      InstallAll(&loop, &session, &acquisition, std::move(cache), std::move(plugins), {choice.reinstall, choice.file}));
}

}  // namespace

Result<std::vector<PluginSpec>> RequiredPlugins(Session& session) {
  Loop loop;
  return ProjectPlugins(session, loop);
}

Status InstallProjectPlugins(Session& session, bool reinstall, int parallel) {
  InstallChoice choice;
  choice.reinstall = reinstall;
  choice.parallel = parallel;
  return Install(session, choice);
}

void AddPluginInstallCommand(Commands* commands) {
  commands->push_back(
      {"plugin install", "Install a plugin, or all that the project needs", [](Flags& flags) -> CommandBody {
         auto choice = std::make_shared<InstallChoice>();
         flags.Argument("KIND", &choice->kind, "resource, language, analyzer, converter or tool");
         flags.Argument("NAME", &choice->name, "Which plugin");
         flags.Argument("VERSION", &choice->version, "Which version; the latest if there is none");
         flags.Text("--server", &choice->server, "The URL to download from");
         flags.Text("--checksum", &choice->checksum, "The SHA-256 that the archive must have");
         flags.Text("-f,--file", &choice->file, "A program, folder or archive to install from");
         flags.Switch("--exact", &choice->exact, "This very version (which is always so)");
         flags.Switch("--reinstall", &choice->reinstall, "Also if it is installed already");
         flags.Int("--parallel", &choice->parallel, "How many at a time");
         return [choice](Session& session) { return Install(session, *choice); };
       }});
}

}  // namespace kingpost
