// SPDX-License-Identifier: Apache-2.0
// plugin run: the program of a plugin, with arguments of the user's.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cli/commands/add_commands.h"
#include "cli/commands/plugin_kinds.h"
#include "cli/packages/package_source.h"
#include "cli/packages/plugin_client.h"
#include "cli/packages/plugin_folder.h"
#include "cli/packages/plugin_installer.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "model/semver.h"
#include "plugins/plugin_acquisition.h"
#include "plugins/plugin_launch.h"
#include "plugins/plugin_repository.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

struct RunChoice {
  std::string kind = "tool", source;
  std::vector<std::string> arguments;
};

bool IsPluginName(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; });
}

Result<PluginSpec> PluginToRun(const RunChoice& choice) {
  const auto [name, version] = SplitVersion(choice.source);
  PluginSpec spec;
  if (const auto repository = ParseRepository(name)) {
    auto placed = PluginIn(*repository, version);
    if (!placed.ok()) return UsageError(placed.status().message());
    spec = std::move(*placed);
  } else {
    if (!IsPluginName(name)) return UsageError("invalid plugin name \"" + name + "\"");
    spec.name = name;
    if (!version.empty()) {
      spec.version = TolerantSemver(version);
      if (spec.version.empty()) return UsageError("VERSION must be valid semver: " + version);
    }
  }
  spec.kind = choice.kind;
  return spec;
}

Result<FoundPlugin> FindOrInstall(Session& session, const RunChoice& choice) {
  if (IsPluginPath(choice.source)) {
    std::error_code error;
    const fs::path path = fs::absolute(choice.source).lexically_normal();
    const bool is_folder = fs::is_directory(path, error);
    if (!fs::exists(path, error)) return Fail(ExitCode::kFailed, "there is no plugin at " + path.string());
    return FoundPlugin{path.filename().string(), path.string(), is_folder, "", "", "pulumi-" + choice.kind};
  }
  auto spec = PluginToRun(choice);
  if (!spec.ok()) return spec.status();
  const DiscoveryOptions places = DiscoveryOptions::FromEnvironment(ProjectOrNone(session));
  auto found = FindPlugin({spec->kind, spec->name, spec->version, spec->download_url}, places);
  if (found.ok()) {
    MarkPluginUsed(*found);
    return found;
  }
  if (!found.status().detail<MissingPlugin>() || !PluginAcquisition::IsAutomatic()) {
    return found.status().Wrap("could not get plugin path");
  }
  return FetchPlugin(session, std::move(*spec));
}

Status RunPlugin(Session& session, const RunChoice& choice) {
  if (const Status known = CheckPluginKind(choice.kind); !known.ok()) return known;
  const auto plugin = FindOrInstall(session, choice);
  if (!plugin.ok()) return plugin.status();
  auto client = PluginClient::Open(session, ProjectOrNone(session));
  if (!client.ok()) return client.status();
  auto address = (*client)->Address();
  if (!address.ok()) return address.status();
  LaunchContext context;
  context.engine_address = *address;
  context.working_directory = fs::current_path().string();
  context.environment["PULUMI_RPC_TARGET"] = *address;
  auto launch = LaunchTool(*plugin, choice.kind, choice.arguments, context);
  if (!launch.ok()) return launch.status().Wrap("could not execute plugin " + choice.source);
  const Status complete = CompleteLaunch(session, &*launch, "plugin " + plugin->name);
  if (!complete.ok()) return complete;
  const auto code = (*client)->RunProgram(launch->spec);
  if (!code.ok()) return code.status().Wrap("could not execute plugin " + choice.source);
  if (*code == 0) return Status::Ok();
  // The plugin reports its own failure, and its exit status is ours.
  Status ended = Status::Bail("plugin " + choice.source + " exited with non-zero error code " + std::to_string(*code));
  ended.With(static_cast<ExitCode>(*code));
  return ended;
}

}  // namespace

void AddPluginRunCommand(Commands* commands) {
  commands->push_back({"plugin run", "Run the program of a plugin", [](Flags& flags) -> CommandBody {
                         auto choice = std::make_shared<RunChoice>();
                         flags.Argument("PLUGIN", &choice->source,
                                        "A name, with @VERSION for one that is not the latest; a program, or a folder "
                                        "with a PulumiPlugin.yaml; or the address of a git repository",
                                        true);
                         flags.Arguments("ARGUMENT", &choice->arguments, "For the plugin; behind -- if it has dashes");
                         flags.Text("--kind", &choice->kind,
                                    "resource, language, analyzer, converter or tool (default)");
                         return [choice](Session& session) { return RunPlugin(session, *choice); };
                       }});
}

}  // namespace kingpost
