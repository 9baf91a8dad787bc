// SPDX-License-Identifier: Apache-2.0
// plugin ls, rm: the folder of installed plugins.
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/os.h"
#include "cli/commands/add_commands.h"
#include "cli/commands/plugin_kinds.h"
#include "cli/packages/project_plugins.h"
#include "cli/session/command.h"
#include "cli/session/confirmation.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/phrases.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "console/display/table.h"
#include "console/display/terminal.h"
#include "model/json_writer.h"
#include "model/semver.h"
#include "model/version_range.h"
#include "workspace/selection.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

struct InstalledPlugin {
  std::string kind, name, version;
  fs::path folder;
  int64_t bytes = 0;
  int64_t installed_ms = 0, used_ms = 0;
};

fs::path PluginFolder() { return fs::path(PulumiHome()) / "plugins"; }

// "resource-random-v4.16.0" -> resource, random, 4.16.0; anything else is not a plugin.
std::optional<InstalledPlugin> ParseFolderName(const std::string& text) {
  const size_t kind_end = text.find('-');
  const size_t version_start = text.rfind("-v");
  if (kind_end == std::string::npos || version_start == std::string::npos || version_start <= kind_end) return {};
  InstalledPlugin plugin;
  plugin.kind = text.substr(0, kind_end);
  plugin.name = text.substr(kind_end + 1, version_start - kind_end - 1);
  plugin.version = text.substr(version_start + 2);
  const bool known = std::find(kPluginKinds.begin(), kPluginKinds.end(), plugin.kind) != kPluginKinds.end();
  return known && !plugin.name.empty() && !plugin.version.empty() ? std::optional(plugin) : std::nullopt;
}

std::vector<InstalledPlugin> InstalledPlugins() {
  std::vector<InstalledPlugin> plugins;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(PluginFolder(), error)) {
    std::optional<InstalledPlugin> plugin = ParseFolderName(entry.path().filename().string());
    if (!plugin || !entry.is_directory(error) || fs::exists(entry.path().string() + ".partial", error)) continue;
    plugin->folder = entry.path();
    for (const auto& file : fs::recursive_directory_iterator(entry.path(), error)) {
      if (file.is_regular_file(error)) plugin->bytes += static_cast<int64_t>(file.file_size(error));
    }
    struct stat status {};
    if (::stat(entry.path().c_str(), &status) == 0) {
      plugin->installed_ms = int64_t{status.st_mtime} * 1000;
      plugin->used_ms = int64_t{status.st_atime} * 1000;
    }
    const std::string mark = entry.path().string() + ".lastused";
    if (::stat(mark.c_str(), &status) == 0) plugin->used_ms = int64_t{status.st_mtime} * 1000;
    plugins.push_back(std::move(*plugin));
  }
  std::sort(plugins.begin(), plugins.end(), [](const InstalledPlugin& a, const InstalledPlugin& b) {
    return std::tie(a.name, a.kind, a.version) < std::tie(b.name, b.kind, b.version);
  });
  return plugins;
}

// One that is required without a version is met by any.
bool Meets(const InstalledPlugin& plugin, const PluginSpec& required) {
  return plugin.kind == required.kind && plugin.name == required.name &&
         (required.version.empty() || CompareSemver(plugin.version, required.version) == 0);
}

Status KeepRequired(Session& session, std::vector<InstalledPlugin>* plugins) {
  const Result<std::vector<PluginSpec>> required = RequiredPlugins(session);
  if (!required.ok()) return required.status();
  std::erase_if(*plugins, [&](const InstalledPlugin& plugin) {
    return std::none_of(required->begin(), required->end(), [&](const PluginSpec& one) { return Meets(plugin, one); });
  });
  return Status::Ok();
}

// "469 B", "1.2 kB", "32 MB": rounded, and with a digit behind the point below ten.
std::string SizeText(int64_t bytes) {
  if (bytes < 10) return std::to_string(bytes) + " B";
  const char* const units[] = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};
  size_t unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 1000 && unit + 1 < std::size(units); ++unit) size /= 1000;
  size = std::floor(size * 10 + 0.5) / 10;
  char text[32];
  std::snprintf(text, sizeof text, size < 10 ? "%.1f%s" : "%.0f%s", size, units[unit]);
  return text;
}

Status List(Session& session, bool as_json, bool of_project) {
  std::vector<InstalledPlugin> plugins = InstalledPlugins();
  if (of_project) {
    if (const Status kept = KeepRequired(session, &plugins); !kept.ok()) return kept;
  }
  if (as_json) {
    JsonWriter json("  ");
    json.BeginArray();
    for (const InstalledPlugin& plugin : plugins) {
      json.BeginObject();
      const std::pair<const char*, std::string> texts[] = {
          {"name", plugin.name}, {"kind", plugin.kind}, {"version", plugin.version}};
      for (const auto& [key, text] : texts) {
        json.Key(key);
        json.Text(text);
      }
      json.Key("size");
      json.Int(plugin.bytes);
      json.Key("installTime");
      json.Text(ApiTime(plugin.installed_ms));
      json.Key("lastUsedTime");
      json.Text(ApiTime(plugin.used_ms));
      json.EndObject();
    }
    json.EndArray();
    session.Print(PrintableJson(json.str()) + "\n");
    return Status::Ok();
  }
  std::vector<TableRow> rows;
  int64_t total = 0;
  for (const InstalledPlugin& plugin : plugins) {
    total += plugin.bytes;
    rows.push_back({Printable(plugin.name), plugin.kind, Printable(plugin.version), SizeText(plugin.bytes),
                    AgoText(plugin.installed_ms), AgoText(plugin.used_ms)});
  }
  session.Print(Table({"NAME", "KIND", "VERSION", "SIZE", "INSTALLED", "LAST USED"}, rows, session.columns()) +
                "\nTOTAL plugin cache size: " + SizeText(total) + "\n");
  return Status::Ok();
}

struct Choice {
  std::string kind, name, version;
  bool yes = false, all = false;

  Result<bool> Matches(const InstalledPlugin& plugin) const {
    if ((!kind.empty() && plugin.kind != kind) || (!name.empty() && plugin.name != name)) return false;
    if (version.empty()) return true;
    const std::string exact = TolerantSemver(version);
    if (!exact.empty()) return CompareSemver(plugin.version, exact) == 0;
    return IsInVersionRange(plugin.version, version);
  }
};

Status Remove(Session& session, const Choice& choice) {
  if (choice.kind.empty() && !choice.all) return UsageError("name a kind of plugin, or pass --all");
  if (!choice.kind.empty()) {
    if (const Status known = CheckPluginKind(choice.kind); !known.ok()) return known;
  }
  std::vector<InstalledPlugin> doomed;
  for (InstalledPlugin& plugin : InstalledPlugins()) {
    const Result<bool> matches = choice.Matches(plugin);
    if (!matches.ok())
      return UsageError("invalid plugin semver: " + choice.version + ": " + matches.status().message());
    if (*matches) doomed.push_back(std::move(plugin));
  }
  if (doomed.empty()) {
    session.Note("no plugins found to uninstall");
    return Status::Ok();
  }
  if (!choice.yes) {
    const Result<bool> confirmed =
        Confirm(session, "This removes " + std::to_string(doomed.size()) + " plugins; type `yes` to proceed: ", "yes");
    if (!confirmed.ok()) return confirmed.status();
    if (!*confirmed) return Fail(ExitCode::kFailed, "confirmation declined");
  }
  for (const InstalledPlugin& plugin : doomed) {
    std::error_code error;
    fs::remove_all(plugin.folder, error);
    if (error) return Fail(ExitCode::kFailed, "could not remove " + plugin.folder.string() + ": " + error.message());
    for (const char* suffix : {".partial", ".lock", ".lastused"}) fs::remove(plugin.folder.string() + suffix, error);
    session.Print("removed: " + plugin.kind + " " + plugin.name + "-" + plugin.version + "\n");
  }
  return Status::Ok();
}

}  // namespace

void AddPluginCommands(Commands* commands) {
  commands->push_back({"plugin ls", "List installed plugins", [](Flags& flags) -> CommandBody {
                         auto as_json = std::make_shared<bool>(false);
                         auto of_project = std::make_shared<bool>(false);
                         DeclareJson(flags, as_json);
                         flags.Switch("-p,--project", of_project.get(), "Only those that the project needs");
                         return [=](Session& session) { return List(session, *as_json, *of_project); };
                       }});
  commands->push_back({"plugin rm", "Remove installed plugins", [](Flags& flags) -> CommandBody {
                         auto choice = std::make_shared<Choice>();
                         flags.Argument("KIND", &choice->kind, "resource, language, analyzer, converter or tool");
                         flags.Argument("NAME", &choice->name, "Which plugin");
                         flags.Argument("VERSION", &choice->version,
                                        "Which version, or a range such as \">=1.2.0 <2.0.0\"");
                         flags.Switch("-a,--all", &choice->all, "All plugins");
                         flags.Switch("-y,--yes", &choice->yes, "Do not ask");
                         return [choice](Session& session) { return Remove(session, *choice); };
                       }});
}

}  // namespace kingpost
