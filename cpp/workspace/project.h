// SPDX-License-Identifier: Apache-2.0
// The project: Pulumi.yaml (or .yml, .json), found from a folder upwards. Read-only once loaded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/shared_json.h"
#include "base/status.h"

namespace kingpost {

// One entry of the project's `config`: a value for all stacks, or the type and default of one each stack may set.
struct ProjectConfigEntry {
  std::string type;  // "", "string", "integer", "boolean", "object", "array"
  SharedJson items;  // {type, items} of an array's elements, else null
  std::string description;
  SharedJson value, default_value;  // null if there is none
  bool secret = false;
};

struct PluginOption {
  std::string name, version, path;
};

struct PackageSpec {
  std::string source, version, plugin_download_url;
  std::vector<std::string> parameters;
};

struct Project {
  std::string file;  // absolute
  std::string name;
  std::string runtime;  // "python", "nodejs", ...; may be empty
  SharedJson runtime_options = SharedJson::EmptyObject();
  std::string main;
  std::optional<std::string> description;
  std::string backend_url;
  std::string stack_config_dir;
  std::map<std::string, ProjectConfigEntry> config;  // keys as written
  std::vector<PluginOption> provider_plugins, analyzer_plugins, language_plugins;
  std::map<std::string, PackageSpec> packages;
  std::string refresh;  // options.refresh: "", "always"
  std::string required_pulumi_version;

  // The project file of the folder or of the closest one above it. kNotFound if there is none.
  static Result<std::string> Find(const std::string& folder);
  static Result<Project> Load(const std::string& file);
  static Result<Project> FindAndLoad(const std::string& folder);
  // A PulumiPlugin.yaml, which has runtime and packages like a project, and may lack a name.
  static Result<Project> LoadPlugin(const std::string& file);

  std::string folder() const;         // that of the project file
  std::string ProgramFolder() const;  // with `main`, if that is a folder, or the folder of `main` if it is a file
  std::string StackConfigFile(const std::string& stack) const;  // Pulumi.STACK.yaml; `stack` without project
};

}  // namespace kingpost
