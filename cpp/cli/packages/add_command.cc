// SPDX-License-Identifier: Apache-2.0
// package add: an SDK for a package in sdks/, a dependency on it, and the package in Pulumi.yaml.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "cli/packages/install.h"
#include "cli/packages/package_commands.h"
#include "cli/packages/plugin_folder.h"
#include "cli/packages/project_packages.h"
#include "cli/packages/sdk_folder.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "plugins/plugin_dependencies.h"
#include "runtimes/script_runtimes.h"
#include "workspace/yaml_edit.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

struct AddChoice {
  PackageSource source;
  std::string language;
};

// The nearest description of a plugin, unless that of a project is nearer.
std::string PluginFileAbove(const fs::path& start, const std::string& project_file) {
  std::error_code error;
  const fs::path last = project_file.empty() ? start.root_path() : fs::path(project_file).parent_path();
  for (fs::path at = start;; at = at.parent_path()) {
    if (at == last && !project_file.empty()) return "";
    if (fs::exists(at / "PulumiPlugin.yaml", error)) return (at / "PulumiPlugin.yaml").string();
    if (at == at.parent_path()) return "";
  }
}

Result<SdkDestination> FindHome(Session& session, const std::string& language) {
  const Project project = ProjectOrNone(session);
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string plugin = PluginFileAbove(here, project.file);
  SdkDestination home;
  if (!plugin.empty()) {
    const auto found = Project::LoadPlugin(plugin);
    if (!found.ok()) return found.status();
    home = SdkDestinationOf(*found);
  } else if (!project.file.empty()) {
    home = SdkDestinationOf(project);
  }
  if (!home.file.empty() && !language.empty()) {
    return Fail(ExitCode::kFailed, "--language is for use outside a Pulumi project or plugin, but " + home.file +
                                       " was found; remove the flag, or run from a directory outside the project");
  }
  if (home.file.empty()) {
    if (language.empty()) {
      return Fail(ExitCode::kFailed,
                  "no project file found, neither Pulumi.yaml nor PulumiPlugin.yaml; pass --language LANG to "
                  "run outside a Pulumi project or plugin");
    }
    home.folder = here.string();
    home.language = RuntimeOfLanguage(language);
  }
  if (!home.language.empty()) return home;
  return Fail(ExitCode::kFailed, "cannot add a package to a project without a runtime");
}

// A folder is named as the project sees it. A program is named by its package: elsewhere it would not be there.
PackageSpec SpecToRecord(const AddedPackage& added, const SdkDestination& home) {
  PackageSpec spec = added.source.record;
  std::error_code error;
  if (!IsPluginPath(spec.source)) return spec;
  if (fs::is_directory(spec.source, error)) {
    const std::string path = fs::absolute(spec.source).lexically_normal().lexically_relative(home.folder).string();
    spec.source = path.starts_with('.') ? path : "./" + path;
    return spec;
  }
  const auto& base = added.package->base;
  spec.source = base ? base->name : added.package->name;
  spec.version = base ? base->version : added.package->version;
  return spec;
}

nlohmann::ordered_json RecordOf(const PackageSpec& spec, bool extension) {
  const bool plain = spec.parameters.empty() && spec.plugin_download_url.empty();
  if (plain) return spec.version.empty() ? spec.source : spec.source + "@" + spec.version;
  nlohmann::ordered_json record;
  record["source"] = spec.source;
  if (!spec.version.empty()) record["version"] = spec.version;
  if (!spec.plugin_download_url.empty()) record["pluginDownloadURL"] = spec.plugin_download_url;
  if (!spec.parameters.empty()) record[extension ? "extensions" : "parameters"] = spec.parameters;
  return record;
}

Status RecordPackage(const SdkDestination& home, const std::string& name, const nlohmann::ordered_json& record) {
  if (home.file.empty()) return Status::Ok();
  const auto text = ReadWholeFile(home.file);
  const auto document = text.ok() ? YamlDocument::Parse(home.file, *text) : text.status();
  if (!document.ok()) return document.status();
  nlohmann::ordered_json wanted = nlohmann::ordered_json(document->json());
  if (!wanted["packages"].is_object()) wanted["packages"] = nlohmann::ordered_json::object();
  wanted["packages"][name] = record;
  const Status saved = WriteFileDurably(home.file, EditYaml(*document, wanted));
  return saved.Wrap("failed to update " + fs::path(home.file).filename().string());
}

Result<DependencySteps> DependenciesOf(const SdkDestination& home) {
  if (home.file.empty()) return DependencySteps();
  const bool is_plugin = fs::path(home.file).filename() == "PulumiPlugin.yaml";
  return is_plugin ? PluginDependencySteps(home.folder) : ProgramDependencySteps(home.project);
}

std::string DisplayName(const schema::Package& package) {
  const std::string name = package.display_name.empty() ? package.name : package.display_name;
  return package.name_space.empty() ? name : package.name_space + "/" + name;
}

Status AddPackage(Session& session, const AddChoice& choice) {
  const auto home = FindHome(session, choice.language);
  if (!home.ok()) return home.status();
  const auto added = AddSdk(session, *home, choice.source);
  if (!added.ok()) return added.status();
  if (const Status installed = InstallDependencies(session, DependenciesOf(*home)); !installed.ok()) return installed;
  if (!added->instructions.empty()) session.Print(added->instructions + "\n");
  if (added->source.is_file) return Status::Ok();  // no plugin stands behind it
  const bool extension = !choice.source.extension.empty();
  const Status recorded = RecordPackage(*home, added->package->name, RecordOf(SpecToRecord(*added, *home), extension));
  if (!recorded.ok()) return recorded;
  session.Note(extension ? "Extended package " + DisplayName(*added->package)
                         : "Added package " + DisplayName(*added->package));
  return Status::Ok();
}

}  // namespace

void AddPackageAddCommand(Commands* commands) {
  commands->push_back(
      {"package add", "Add a package to the project: its SDK, and a dependency on it", [](Flags& flags) -> CommandBody {
         auto choice = std::make_shared<AddChoice>();
         flags.Argument("SOURCE", &choice->source.text, "A package, a plugin, a repository or a schema", true);
         choice->source.Declare(&flags);
         flags.Text("--language", &choice->language, "Outside of a project: for python, nodejs, go, ...");
         return [choice](Session& session) { return AddPackage(session, *choice); };
       }});
}

}  // namespace kingpost
