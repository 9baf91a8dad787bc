// SPDX-License-Identifier: Apache-2.0
#include "workspace/template.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "base/text.h"
#include "kingpost/state_store.h"
#include "workspace/config_value.h"
#include "workspace/yaml_edit.h"
#include "workspace/yaml_writer.h"

namespace kingpost {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr char kManifest[] = "Pulumi.yaml";
constexpr char kProject[] = "${PROJECT}", kDescription[] = "${DESCRIPTION}";
constexpr size_t kLooksBinary = 8000;  // bytes; git looks for a zero in as many

std::string FilledIn(const std::string& text, const std::string& name, const std::string& description) {
  return Replaced(Replaced(text, kProject, name), kDescription, description);
}

bool IsBinary(const std::string& content) { return content.substr(0, kLooksBinary).find('\0') != std::string::npos; }

std::string ScalarText(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null() || found->is_structured()) return "";
  return FlattenConfig(*found).value;
}

std::vector<TemplateSetting> ReadSettings(const Json& config) {
  std::vector<TemplateSetting> settings;
  for (const auto& [key, value] : config.items()) {
    settings.push_back({key, ScalarText(value, "description"), ScalarText(value, "default"), BoolOf(value, "secret")});
  }
  return settings;
}

// All texts of the value, filled in.
void FillInTexts(OrderedJson* value, const NewProject& project) {
  if (value->is_string()) *value = FilledIn(TextIn(*value), project.name, project.description);
  if (!value->is_structured()) return;
  for (OrderedJson& part : *value) FillInTexts(&part, project);
}

void SetRuntimeOptions(OrderedJson* manifest, const RuntimeSettings& options) {
  if (options.empty()) return;
  OrderedJson& runtime = (*manifest)["runtime"];
  if (runtime.is_string()) runtime = OrderedJson{{"name", runtime}};
  for (const auto& [key, value] : options) runtime["options"][key] = value;
}

Result<std::string> PackManifest(const std::string& text, const RuntimeSettings& options) {
  const Result<YamlDocument> document = YamlDocument::Parse(ManifestOf(TemplateKind::kPolicyPack), text);
  if (!document.ok()) return document.status();
  OrderedJson manifest = document->json();
  SetRuntimeOptions(&manifest, options);
  const OrderedJson& runtime = manifest["runtime"];
  const bool is_python = runtime.is_object() ? TextOf(runtime, "name") == "python" : runtime == "python";
  const bool has_environment = runtime.is_object() && runtime.contains("options") && runtime["options"].is_object() &&
                               runtime["options"].contains("virtualenv");
  if (is_python && !has_environment) SetRuntimeOptions(&manifest, {{"virtualenv", "venv"}});
  return EditYaml(*document, manifest);
}

Result<std::string> ProjectManifest(const std::string& text, const NewProject& project) {
  const Result<YamlDocument> document = YamlDocument::Parse(kManifest, text);
  if (!document.ok()) return document.status();
  OrderedJson manifest = document->json();
  FillInTexts(&manifest, project);
  manifest["name"] = project.name;
  if (project.description.empty()) {
    manifest.erase("description");
  } else {
    manifest["description"] = project.description;
  }
  manifest.erase("template");
  SetRuntimeOptions(&manifest, project.runtime_options);
  return Replaced(EditYaml(*document, manifest), kProject, project.name);  // what is left of it stands in comments
}

bool IsYaml(const std::string& path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

Result<std::string> ContentOf(const TemplateFile& file, const NewProject& project) {
  if (file.path == kManifest) return ProjectManifest(file.content, project);
  if (IsBinary(file.content)) return file.content;
  if (!IsYaml(file.path)) return FilledIn(file.content, project.name, project.description);
  return FilledIn(file.content, YamlFlow(project.name), YamlFlow(project.description));
}

}  // namespace

const char* ManifestOf(TemplateKind kind) {
  return kind == TemplateKind::kPolicyPack ? "PulumiPolicy.yaml" : "Pulumi.yaml";
}

Result<ProjectTemplate> ReadTemplate(std::string name, TemplateFiles files, TemplateKind kind) {
  const std::string described_by = ManifestOf(kind);
  const auto manifest =
      std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.path == described_by; });
  if (manifest == files.end()) {
    return Status(Code::kNotFound, "'" + name + "' has no " + described_by + ": it is no template");
  }
  const Result<YamlDocument> document = YamlDocument::Parse(name + "/" + described_by, manifest->content);
  if (!document.ok()) return document.status();
  const Json& root = document->json();
  ProjectTemplate found;
  found.name = std::move(name);
  if (kind == TemplateKind::kPolicyPack) {
    if (!root.is_object() || !root.contains("runtime")) {
      return document->Error("", "a policy pack's PulumiPolicy.yaml needs a 'runtime'");
    }
    found.description = ScalarText(root, "description");
    found.files = std::move(files);
    return found;
  }
  if (!root.is_object() || ScalarText(root, "name").empty()) {
    return document->Error("", "a template's Pulumi.yaml needs at least 'name: ${PROJECT}'");
  }
  const Json about = ObjectOf(root, "template");
  found.description = ScalarText(about, "description");
  found.quickstart = ScalarText(about, "quickstart");
  found.project_name = ScalarText(root, "name");
  found.project_description = ScalarText(root, "description");
  found.config = ReadSettings(ObjectOf(about, "config"));
  found.files = std::move(files);
  return found;
}

Result<TemplateFiles> Instantiate(const ProjectTemplate& made_from, const NewProject& project) {
  TemplateFiles files;
  for (const TemplateFile& file : made_from.files) {
    const Result<std::string> content = ContentOf(file, project);
    if (!content.ok()) return content.status();
    files.push_back({Replaced(file.path, kProject, project.name), *content, file.executable});
  }
  return files;
}

Result<TemplateFiles> InstantiatePack(const ProjectTemplate& made_from, const RuntimeSettings& runtime_options) {
  TemplateFiles files = made_from.files;
  for (TemplateFile& file : files) {
    if (file.path != ManifestOf(TemplateKind::kPolicyPack)) continue;
    auto manifest = PackManifest(file.content, runtime_options);
    if (!manifest.ok()) return manifest.status();
    file.content = std::move(*manifest);
  }
  return files;
}

Result<RuntimeSettings> ParseRuntimeSettings(const std::vector<std::string>& given) {
  RuntimeSettings settings;
  for (const std::string& option : given) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos) {
      return Status(Code::kInvalidArgument, "invalid runtime option: " + option + "; it is key=value");
    }
    settings.emplace_back(option.substr(0, equals), option.substr(equals + 1));
  }
  return settings;
}

std::string ProjectNameFrom(const std::string& text) {
  if (ValidateProjectName(text).ok()) return text;
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-') name += c;
  }
  return ValidateProjectName(name).ok() ? name : "project";
}

}  // namespace kingpost
