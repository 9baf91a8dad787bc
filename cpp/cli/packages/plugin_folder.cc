// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/plugin_folder.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "cli/packages/local_plugins.h"
#include "cli/packages/plugin_installer.h"
#include "cli/session/exit_code.h"
#include "model/semver.h"
#include "plugins/plugin_repository.h"
#include "workspace/yaml_node.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

constexpr char kPluginPrefix[] = "pulumi-resource-";
constexpr char kDescription[] = "PulumiPlugin.yaml";

bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// "random" of pulumi-resource-random; what is called otherwise is called by all of its name.
std::string PluginNameOf(const std::string& file) {
  return file.starts_with(kPluginPrefix) ? file.substr(sizeof(kPluginPrefix) - 1) : file;
}

// Whether what the plugin's language needs was ever installed.
bool IsPrepared(const fs::path& folder) {
  const auto text = ReadWholeFile((folder / kDescription).string());
  const auto description = text.ok() ? YamlDocument::Parse(kDescription, *text) : text.status();
  if (!description.ok()) return true;  // reported by the code that starts it
  const nlohmann::json* runtime = FieldOf(description->json(), "runtime");
  if (!runtime) return true;
  const std::string name = runtime->is_string() ? TextIn(*runtime) : TextOf(*runtime, "name");
  if (name == "nodejs") return !IsThere(folder / "package.json") || IsThere(folder / "node_modules");
  if (name != "python") return true;
  const std::string environment = TextOf(ObjectOf(*runtime, "options"), "virtualenv");
  const bool lists = IsThere(folder / "requirements.txt") || IsThere(folder / "pyproject.toml");
  return environment.empty() ? !lists || IsThere(folder / "venv") || IsThere(folder / ".venv")
                             : IsThere(folder / environment);
}

Status PrepareFolder(Session& session, const fs::path& folder) {
  if (!IsThere(folder / kDescription) || IsPrepared(folder)) return Status::Ok();
  return InstallPluginFolder(session, folder.string());
}

// The program in the folder, where there is exactly one that is called like a plugin.
std::string ProgramIn(const fs::path& folder) {
  std::string name;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with(kPluginPrefix) || !entry.is_regular_file(error)) continue;
    if (!name.empty()) return "";
    name = file;
  }
  return name;
}

Status UseFolder(Session& session, const fs::path& path, FoundSource* found) {
  std::error_code error;
  const fs::path whole = fs::absolute(path).lexically_normal();
  PluginOption plugin;
  plugin.path = whole.string();
  if (fs::is_regular_file(whole, error)) {
    plugin.name = PluginNameOf(whole.filename().string());
    if (access(whole.c_str(), X_OK) != 0) {
      return Fail(ExitCode::kFailed, whole.string() +
                                         " is no program: a plugin must be executable, and a schema has the "
                                         "extension .json, .yaml or .yml");
    }
  } else if (fs::is_directory(whole, error)) {
    const std::string folder = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
    const std::string program = ProgramIn(whole);
    plugin.name = program.empty() ? folder : PluginNameOf(program);
    if (program.empty() && !IsThere(whole / kDescription)) {
      return Fail(ExitCode::kFailed, "the folder " + whole.string() + " has neither a program called " + kPluginPrefix +
                                         folder + " nor a " + kDescription);
    }
    if (const Status prepared = PrepareFolder(session, whole); !prepared.ok()) return prepared;
  } else {
    return Fail(ExitCode::kFailed, "there is no plugin at " + whole.string());
  }
  found->question.plugin.name = plugin.name;
  auto& plugins = found->project.provider_plugins;
  plugins.insert(plugins.begin(), std::move(plugin));
  return Status::Ok();
}

}  // namespace

bool IsPluginPath(const std::string& text) {
  if (text.starts_with('/') || text.starts_with('.')) return true;
  std::error_code error;
  if (fs::is_directory(text, error)) return IsThere(fs::path(text) / kDescription) || !ProgramIn(text).empty();
  return fs::is_regular_file(text, error) && access(text.c_str(), X_OK) == 0;
}

Status LocatePlugin(Session& session, FoundSource* found) {
  const PackageSpec& record = found->record;
  if (IsPluginPath(record.source)) {
    const bool of_project = !found->project.file.empty() && !IsThere(record.source) && !record.source.starts_with('/');
    const fs::path base = of_project ? fs::path(found->project.folder()) : fs::path();
    return UseFolder(session, base / record.source, found);
  }
  if (const auto repository = ParseRepository(record.source)) {
    auto plugin = PluginIn(*repository, record.version);
    if (!plugin.ok()) return Fail(ExitCode::kFailed, plugin.status().message());
    const auto fetched = FetchPlugin(session, std::move(*plugin));
    if (!fetched.ok()) return fetched.status();
    found->name_space = repository->owner;
    found->repository_url = repository->download_url;
    found->repository_version = fetched->version;
    return UseFolder(session, fetched->path, found);
  }
  found->question.plugin.name = record.source;
  found->question.plugin.download_url = record.plugin_download_url;
  if (record.version.empty()) return Status::Ok();
  found->question.plugin.version = TolerantSemver(record.version);
  if (!found->question.plugin.version.empty()) return Status::Ok();
  return Fail(ExitCode::kFailed, "invalid version \"" + record.version + "\" of the package " + record.source);
}

}  // namespace kingpost
