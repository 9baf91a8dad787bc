// SPDX-License-Identifier: Apache-2.0
// plugin install: downloads plugins into the cache, or copies one that is here already (row 2.18).
#include <algorithm>

#include "base/encoding.h"
#include "cli/operations/process_host.h"
#include "cli/packages/plugin_installer.h"
#include "cli/session/exit_code.h"
#include "cli/session/plugin_listener.h"
#include "cli/session/shared.h"
#include "model/dynamic_provider.h"
#include "model/semver.h"
#include "plugins/plugin_repository.h"

namespace kingpost {

namespace {

struct InstallChoice {
  std::string kind, name, version, server, checksum, file;
  bool exact = false, reinstall = false;
  int parallel = 4;
};

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

Status PlaceInRepository(const PluginRepository& repository, const std::string& version, PluginSpec* spec) {
  if (!spec->download_url.empty()) {
    return UsageError("cannot specify a plugin download URL when the plugin name is a URL: leave --server out");
  }
  if (!spec->checksums.empty()) return UsageError("--checksum is for archives, and what git brings is none");
  auto placed = PluginIn(repository, version);
  if (!placed.ok()) return UsageError(placed.status().message());
  placed->kind = spec->kind;
  *spec = std::move(*placed);
  return Status::Ok();
}

Result<PluginSpec> NamedPlugin(const InstallChoice& choice) {
  const auto& kinds = PluginKinds();
  if (std::find(kinds.begin(), kinds.end(), choice.kind) == kinds.end()) {
    return UsageError("unrecognized plugin kind: " + choice.kind);
  }
  if (choice.name.empty()) return UsageError("missing plugin name argument");
  PluginSpec spec;
  spec.kind = choice.kind;
  spec.download_url = choice.server;
  const Status checksum = ReadChecksum(choice.checksum, &spec);
  if (!checksum.ok()) return checksum;
  const auto [name, in_name] = SplitVersion(choice.name);
  spec.name = name;
  if (!in_name.empty() && !choice.version.empty()) {
    return UsageError("cannot specify a version when the version is part of the name: \"@" + in_name + "\" and \"" +
                      choice.version + "\"");
  }
  const std::string& version = in_name.empty() ? choice.version : in_name;
  if (const auto repository = ParseRepository(name)) {
    const Status placed = PlaceInRepository(*repository, version, &spec);
    if (!placed.ok()) return placed;
  } else if (!version.empty()) {
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
  PluginListener listener(session);
  (*host)->set_engine_service(&listener);
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
  return InstallPlugins(session, std::move(plugins), {choice.reinstall, choice.file}, choice.parallel);
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
         flags.Argument("NAME", &choice->name, "Which plugin, or the address of its git repository");
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
