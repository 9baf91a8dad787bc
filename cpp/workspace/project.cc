// SPDX-License-Identifier: Apache-2.0
// See project.h. Reading; what the project says about configuration is in project_config.cc.
#include "workspace/project.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/command_name.h"
#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "base/text.h"
#include "kingpost/state_store.h"
#include "workspace/config_value.h"
#include "workspace/yaml_node.h"

namespace kingpost {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool IsFile(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

// Reads one project file key by key; the first mistake is kept.
class ProjectReader {
 public:
  ProjectReader(const YamlDocument& document, bool needs_name) : document_(document), needs_name_(needs_name) {}

  Result<Project> Read() {
    const Json& root = document_.json();
    if (!root.is_object()) {
      return document_.Error("", "a project file is a map; it needs at least 'name: PROJECT' and 'runtime: LANGUAGE'");
    }
    if (needs_name_ || root.contains("name")) ReadName(root);
    ReadRuntime(root);
    project_.main = Text(root, "", "main");
    if (root.contains("description")) project_.description = Text(root, "", "description");
    project_.backend_url = Text(Section(root, "backend"), "/backend", "url");
    project_.refresh = Text(Section(root, "options"), "/options", "refresh");
    project_.stack_config_dir = Text(root, "", "stackConfigDir");
    project_.required_pulumi_version = Text(root, "", "requiredPulumiVersion");
    ReadConfig(root);
    const Json plugins = Section(root, "plugins");
    project_.provider_plugins = ReadPlugins(plugins, "providers");
    project_.analyzer_plugins = ReadPlugins(plugins, "analyzers");
    project_.language_plugins = ReadPlugins(plugins, "languages");
    ReadPackages(root);
    if (!failure_.ok()) return failure_;
    return std::move(project_);
  }

 private:
  void Fail(const std::string& pointer, const std::string& message) {
    if (failure_.ok()) failure_ = document_.Error(pointer, message);
  }

  // A scalar as text; "" if absent.
  std::string Text(const Json& object, const std::string& pointer, const std::string& key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return "";
    if (found->is_structured()) {
      Fail(pointer + "/" + key, "'" + key + "' must be a string");
      return "";
    }
    return FlattenConfig(*found).value;
  }

  Json Section(const Json& root, const std::string& key) {
    const auto found = root.find(key);
    if (found == root.end() || found->is_null()) return Json::object();
    if (!found->is_object()) Fail("/" + key, "'" + key + "' must be a map");
    return found->is_object() ? *found : Json::object();
  }

  void ReadName(const Json& root) {
    if (!root.contains("name")) {
      for (const auto& [key, value] : root.items()) {
        if (Lowered(key) != "name") continue;
        return Fail("/" + key, "project is missing a 'name' attribute; found '" + key + "' instead");
      }
      return Fail("", "project is missing a 'name' attribute");
    }
    if (!root["name"].is_string() || TextIn(root["name"]).empty()) {
      return Fail("/name", "project is missing a non-empty string 'name' attribute");
    }
    project_.name = TextIn(root["name"]);
    const Status valid = ValidateProjectName(project_.name);
    if (!valid.ok()) Fail("/name", valid.message());
  }

  void ReadRuntime(const Json& root) {
    if (!root.contains("runtime") || root["runtime"].is_null()) return;
    const Json& runtime = root["runtime"];
    if (runtime.is_string()) {
      project_.runtime = TextIn(runtime);
      return;
    }
    if (!runtime.is_object() || !runtime.contains("name")) {
      return Fail("/runtime", "'runtime' must be the name of a language, or a map with 'name' and 'options'");
    }
    project_.runtime = Text(runtime, "/runtime", "name");
    if (!runtime.contains("options") || runtime["options"].is_null()) return;
    if (!runtime["options"].is_object()) return Fail("/runtime/options", "'options' must be a map");
    project_.runtime_options = runtime["options"];
  }

  void ReadConfig(const Json& root) {
    if (!root.contains("config") || root["config"].is_null()) return;
    const Json& config = root["config"];
    if (config.is_string()) {  // the former spelling of stackConfigDir
      if (!project_.stack_config_dir.empty()) {
        return Fail("/config",
                    "should not use both config and stackConfigDir to define the stack directory; use only "
                    "stackConfigDir instead");
      }
      project_.stack_config_dir = TextIn(config);
      return;
    }
    if (!config.is_object()) return Fail("/config", "'config' must be a map of keys");
    for (const auto& [key, entry] : config.items()) ReadConfigEntry(key, entry);
  }

  // A bare value is short for {default: value} of a key of the project, {value: value} of others.
  void ReadConfigEntry(const std::string& key, const Json& entry) {
    const std::string pointer = "/config/" + key;
    const bool ours =
        key.find(':') == std::string::npos || key.compare(0, project_.name.size() + 1, project_.name + ":") == 0;
    ProjectConfigEntry& read = project_.config[key];
    if (!entry.is_object()) {
      if (!entry.is_null()) (ours ? read.default_value : read.value) = entry;
      if (entry.is_null() && !ours) Fail(pointer, "the configuration key '" + key + "' must have a value");
      return;
    }
    read.type = Text(entry, pointer, "type");
    read.description = Text(entry, pointer, "description");
    if (entry.contains("items")) read.items = entry["items"];
    if (entry.contains("value")) read.value = entry["value"];
    if (entry.contains("default")) read.default_value = entry["default"];
    if (entry.contains("secret") && !entry["secret"].is_boolean())
      Fail(pointer + "/secret", "'secret' must be true or false");
    read.secret = entry.contains("secret") && entry["secret"] == true;
    CheckConfigEntry(key, pointer, read, ours);
  }

  void CheckConfigEntry(const std::string& key, const std::string& pointer, const ProjectConfigEntry& entry,
                        bool ours) {
    const std::string quoted = "configuration key '" + key + "'";
    if (entry.value && entry.default_value) {
      return Fail(pointer, "project config '" + key + "' cannot have both a 'default' and 'value' attribute");
    }
    if (!ours && !entry.type.empty()) {
      return Fail(pointer, quoted + " is not namespaced by the project and should not define a type");
    }
    if (!ours && entry.default_value) {
      return Fail(pointer, quoted +
                               " is not namespaced by the project and should not define a default value. Did you mean "
                               "to use the 'value' attribute instead of 'default'?");
    }
    if (!ours && !entry.value) return Fail(pointer, quoted + " is namespaced and must provide an attribute 'value'");
    constexpr const char* kTypes[] = {"", "string", "integer", "boolean", "object", "array"};
    if (std::find(std::begin(kTypes), std::end(kTypes), entry.type) == std::end(kTypes)) {
      return Fail(pointer + "/type", quoted + " has the unknown type '" + entry.type +
                                         "'; known are string, integer, boolean, object and array");
    }
    if (entry.type == "array" && !entry.items->is_object()) {
      return Fail(pointer,
                  quoted + " declares an array but does not specify the underlying type via the 'items' attribute");
    }
  }

  std::vector<PluginOption> ReadPlugins(const Json& plugins, const std::string& kind) {
    std::vector<PluginOption> options;
    const std::string pointer = "/plugins/" + kind;
    if (!plugins.contains(kind) || plugins[kind].is_null()) return options;
    if (!plugins[kind].is_array()) {
      Fail(pointer, "'plugins." + kind + "' must be a list");
      return options;
    }
    for (size_t i = 0; i < plugins[kind].size(); ++i) {
      const Json& plugin = plugins[kind][i];
      const std::string at = pointer + "/" + std::to_string(i);
      if (!plugin.is_object()) {
        Fail(at, "a plugin is a map with 'name', 'path' and perhaps 'version'");
        break;
      }
      options.push_back({Text(plugin, at, "name"), Text(plugin, at, "version"), Text(plugin, at, "path")});
      if (options.back().name.empty()) Fail(at, "a plugin needs a 'name'");
      if (options.back().path.empty()) Fail(at, "the plugin '" + options.back().name + "' needs a 'path'");
    }
    return options;
  }

  void ReadPackages(const Json& root) {
    const Json packages = Section(root, "packages");
    for (const auto& [name, spec] : packages.items()) {
      const std::string pointer = "/packages/" + name;
      PackageSpec& package = project_.packages[name];
      if (spec.is_string()) {  // SOURCE or SOURCE@VERSION
        const std::string text = TextIn(spec);
        const size_t at = text.find('@');
        package.source = text.substr(0, at);
        if (at != std::string::npos) package.version = text.substr(at + 1);
        continue;
      }
      if (!spec.is_object()) return Fail(pointer, "package must be either a string or a package specification object");
      package.source = Text(spec, pointer, "source");
      package.version = Text(spec, pointer, "version");
      package.plugin_download_url = Text(spec, pointer, "pluginDownloadURL");
      for (const Json& parameter : ListOf(spec, "parameters")) {
        package.parameters.push_back(FlattenConfig(parameter).value);
      }
    }
  }

  const YamlDocument& document_;
  const bool needs_name_;
  Project project_;
  Status failure_;
};

Result<Project> LoadFile(const std::string& file, bool needs_name) {
  const std::string path = fs::absolute(file).lexically_normal().string();
  Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  const Result<YamlDocument> document = YamlDocument::Parse(path, std::move(*text));
  if (!document.ok()) return document.status();
  Result<Project> project = ProjectReader(*document, needs_name).Read();
  if (project.ok()) project->file = path;
  return project;
}

}  // namespace

Result<std::string> Project::Find(const std::string& folder) {
  const fs::path start = fs::absolute(folder).lexically_normal();
  for (fs::path at = start;; at = at.parent_path()) {
    for (const char* extension : {".yaml", ".yml", ".json"}) {
      const std::string file = (at / "Pulumi").string() + extension;
      if (IsFile(file)) return file;
    }
    if (at == at.parent_path()) break;
  }
  return Status(Code::kNotFound, "no Pulumi.yaml project file found (searching upwards from " + start.string() +
                                     "). If you have not created a project yet, use " + QuotedCommand("new") +
                                     " to do so");
}

Result<Project> Project::Load(const std::string& file) { return LoadFile(file, true); }

Result<Project> Project::LoadPlugin(const std::string& file) { return LoadFile(file, false); }

Result<Project> Project::FindAndLoad(const std::string& folder) {
  const Result<std::string> file = Find(folder);
  if (!file.ok()) return file.status();
  return Load(*file);
}

std::string Project::folder() const { return fs::path(file).parent_path().string(); }

std::string Project::ProgramFolder() const {
  if (main.empty()) return folder();
  const fs::path program = (fs::path(folder()) / main).lexically_normal();
  std::error_code error;
  std::string path = (fs::is_regular_file(program, error) ? program.parent_path() : program).string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string Project::StackConfigFile(const std::string& stack) const {
  const fs::path path(file);
  std::string name = stack;
  std::replace(name.begin(), name.end(), '/', '-');
  return (path.parent_path() / stack_config_dir / ("Pulumi." + name + path.extension().string()))
      .lexically_normal()
      .string();
}

}  // namespace kingpost
