// SPDX-License-Identifier: Apache-2.0
// plugin install: downloads plugins into the cache, or copies one that is here already (row 2.18).
#include <algorithm>

#include "base/encoding.h"
#include "cli/commands/add_commands.h"
#include "cli/commands/plugin_kinds.h"
#include "cli/packages/plugin_installer.h"
#include "cli/packages/project_plugins.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "model/semver.h"
#include "plugins/plugin_repository.h"

namespace kingpost {

namespace {

struct InstallChoice {
  std::string kind, name, version, server, checksum, file;
  bool exact = false, reinstall = false;
  int parallel = 4;
};

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
  if (const Status known = CheckPluginKind(choice.kind); !known.ok()) return known;
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
    spec.version = TolerantSemver(version);
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

Status Install(Session& session, const InstallChoice& choice) {
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
    return InstallProjectPlugins(session, choice.reinstall, choice.parallel);
  }
  return InstallPlugins(session, std::move(plugins), {choice.reinstall, choice.file}, choice.parallel);
}

}  // namespace

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
