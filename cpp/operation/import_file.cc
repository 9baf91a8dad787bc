// SPDX-License-Identifier: Apache-2.0
#include "operation/import_file.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/encoding.h"
#include "base/json_access.h"
#include "model/deployment_json.h"
#include "model/type_name.h"

namespace kingpost {

namespace {

using FileJson = nlohmann::json;

struct ImportEntry {
  ImportResource resource;
  std::string name, parent, provider;  // names of the file
  Urn urn;
  size_t index = 0;
};

Status Refuse(const std::vector<std::string>& errors) {
  if (errors.size() == 1) return Status(Code::kInvalidArgument, errors[0]);
  std::string text = std::to_string(errors.size()) + " errors occurred:";
  for (size_t i = 0; i < errors.size(); ++i) text += "\n    " + std::to_string(i + 1) + ") " + errors[i];
  return Status(Code::kInvalidArgument, text);
}

class Parser {
 public:
  Parser(const StackName& stack, bool protect, SecretsManager* secrets)
      : stack_(stack), protect_(protect), secrets_(secrets) {}

  Result<std::vector<ImportResource>> Parse(const FileJson& file) {
    provider_inputs_ = ObjectOf(file, "providerInputs");
    ReadNames(file);
    CheckKind(file, "resources", &FileJson::is_array, "a list");
    CheckKind(file, "nameTable", &FileJson::is_object, "an object");
    CheckKind(file, "providerInputs", &FileJson::is_object, "an object");
    for (const FileJson& entry : ListOf(file, "resources")) {
      if (entry.is_object()) {
        Read(entry);
      } else {
        Error("the import file's \"resources\" must hold objects only, not " + entry.dump());
      }
    }
    for (const ImportEntry& entry : entries_) Check(entry);
    if (errors_.empty()) Resolve();
    if (!errors_.empty()) return Refuse(errors_);
    std::vector<ImportResource> imports;
    for (const ImportEntry& entry : entries_) names_.emplace(entry.urn, entry.name);
    for (ImportEntry& entry : entries_) imports.push_back(std::move(entry.resource));
    return imports;
  }

  // The names of variables, once parsed.
  const std::map<Urn, std::string>& Names() const { return names_; }

 private:
  void Error(std::string text) { errors_.push_back(std::move(text)); }

  // A missing or null member is fine.
  void CheckKind(const FileJson& file, const char* key, bool (FileJson::*is_kind)() const, const char* kind) {
    const FileJson* field = FieldOf(file, key);
    if (field && !field->is_null() && !(field->*is_kind)()) {
      Error("the import file's \"" + std::string(key) + "\" is not " + kind);
    }
  }

  // By its name, else its ID, else its place in the file.
  std::string Describe(const ImportEntry& entry) const {
    const std::string& word = entry.name.empty() ? entry.resource.id : entry.name;
    const std::string text = "resource " + (word.empty() ? std::to_string(entry.index) : "'" + word + "'");
    return entry.resource.type.empty() ? text : text + " of type '" + entry.resource.type + "'";
  }

  void ReadNames(const FileJson& file) {
    const FileJson names = ObjectOf(file, "nameTable");
    for (const auto& [name, urn] : names.items()) {
      if (urn.is_string()) urns_[name] = Urn(TextIn(urn));
    }
    for (const auto& [name, urn] : urns_) names_.emplace(urn, name);
    for (const auto& [name, urn] : urns_) taken_.insert(urn.str());
  }

  void Read(const FileJson& object) {
    ImportEntry entry;
    ImportResource& resource = entry.resource;
    entry.index = entries_.size();
    entry.name = TextOf(object, "name");
    resource.logical_name = TextOf(object, "logicalName");
    if (resource.logical_name.empty()) resource.logical_name = entry.name;
    if (entry.name.empty()) entry.name = resource.logical_name;
    resource.name = resource.logical_name;
    resource.type = TextOf(object, "type");
    resource.id = TextOf(object, "id");
    resource.version = TextOf(object, "version");
    resource.plugin_download_url = TextOf(object, "pluginDownloadUrl");
    resource.component = BoolOf(object, "component");
    resource.remote = BoolOf(object, "remote");
    resource.protect = protect_;
    entry.parent = TextOf(object, "parent");
    entry.provider = TextOf(object, "provider");
    const FileJson properties = ListOf(object, "properties");
    for (const FileJson& property : properties) {
      if (property.is_string()) resource.properties.push_back(TextIn(property));
    }
    resource.inputs = Properties(object, "inputs", entry);
    resource.outputs = Properties(object, "outputs", entry);
    if (!resource.inputs && IsProviderType(resource.type)) {
      resource.inputs = Properties(provider_inputs_, entry.name.c_str(), entry);
    }
    ReadParameters(object, &entry);
    ++uses_[entry.name];
    entries_.push_back(std::move(entry));
  }

  void ReadParameters(const FileJson& object, ImportEntry* entry) {
    const auto parameterization = object.find("parameterization");
    if (parameterization != object.end() && parameterization->is_object()) {
      entry->resource.parameterization = Parameters(*parameterization, "pluginName", "pluginVersion");
    }
    const auto extension = object.find("extension");
    if (extension == object.end() || !extension->is_object()) return;
    if (entry->resource.parameterization) {
      return Error(Describe(*entry) + " has both a parameterization and an extension");
    }
    entry->resource.extension = Parameters(*extension, "name", "version");
  }

  static Parameterization Parameters(const FileJson& object, const char* name, const char* version) {
    Parameterization parameters;
    parameters.name = TextOf(object, name);
    parameters.version = TextOf(object, version);
    if (const auto bytes = Base64Decode(TextOf(object, "value"))) parameters.value = *bytes;
    return parameters;
  }

  std::optional<PropertyMap> Properties(const FileJson& object, const char* key, const ImportEntry& entry) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object()) return {};
    DecodeOptions options;
    options.secrets = secrets_;
    const Result<Value> value = DecodeValue(found->dump(), Urn(), options);
    if (value.ok() && value->is_object()) return value->as_object();
    Error("could not read the " + std::string(key) + " of " + Describe(entry) + ": " + value.status().message());
    return {};
  }

  void Check(const ImportEntry& entry) {
    const ImportResource& resource = entry.resource;
    if (resource.type.empty()) {
      Error(Describe(entry) + " has no type");
    } else if (const Status usable = CheckTypeName(resource.type); !usable.ok()) {
      Error(Describe(entry) + ": " + usable.message());
    }
    if (entry.name.empty()) Error(Describe(entry) + " has no name");
    if (IsProviderType(resource.type)) {
      if (!resource.id.empty())
        Error(Describe(entry) + " has an ID, but is a provider, which is created rather than read");
      if (resource.component) Error(Describe(entry) + " is a provider and may not be marked as a component");
      if (resource.outputs && !resource.outputs->empty()) {
        Error(Describe(entry) + " is a provider and may not have outputs");
      }
    } else if (!resource.component && resource.id.empty()) {
      Error(Describe(entry) + " has no ID");
    } else if (resource.component && !resource.id.empty()) {
      Error(Describe(entry) + " has an ID, but is marked as a component");
    }
    if (resource.remote && !resource.component) Error(Describe(entry) + " is marked as remote, but not as a component");
  }

  // Parents may stand after their children, so go round until nothing more can be resolved.
  void Resolve() {
    size_t resolved = 0;
    for (size_t before = resolved + 1; before != resolved;) {
      before = resolved;
      for (ImportEntry& entry : entries_) {
        if (entry.urn.empty() && ResolveOne(&entry)) ++resolved;
      }
    }
    for (ImportEntry& entry : entries_) {
      if (entry.urn.empty() && errors_.empty()) Error(Describe(entry) + " is its own ancestor");
    }
    for (ImportEntry& entry : entries_) ResolveProvider(&entry);
  }

  bool ResolveOne(ImportEntry* entry) {
    std::string parent_type;
    if (!entry->parent.empty()) {
      const auto use = uses_.find(entry->parent);
      if (use != uses_.end() && use->second > 1) {
        Error(Describe(*entry) + " has an ambiguous parent");
        return false;
      }
      const auto urn = urns_.find(entry->parent);
      if (urn == urns_.end()) {
        if (use == uses_.end()) {
          Error("the parent '" + entry->parent + "' for " + Describe(*entry) + " has no entry in 'nameTable'");
        }
        return false;
      }
      entry->resource.parent = urn->second;
      parent_type = std::string(urn->second.qualified_type());
    }
    entry->urn =
        Urn::Make(stack_.name, stack_.project, parent_type, entry->resource.type, entry->resource.logical_name);
    if (!taken_.insert(entry->urn.str()).second) {
      Error(Describe(*entry) + " has an ambiguous URN, set name (or logical name) to be unique");
    }
    urns_.emplace(entry->name, entry->urn);
    return true;
  }

  void ResolveProvider(ImportEntry* entry) {
    if (entry->provider.empty()) return;
    const auto use = uses_.find(entry->provider);
    const auto urn = urns_.find(entry->provider);
    if (use != uses_.end() && use->second > 1) {
      Error(Describe(*entry) + " has an ambiguous provider");
    } else if (urn == urns_.end()) {
      Error("the provider '" + entry->provider + "' for " + Describe(*entry) +
            " has no entry in 'nameTable' or 'resources'");
    } else if (!IsProviderType(urn->second.type())) {
      Error("the provider '" + entry->provider + "' for " + Describe(*entry) + " is not a provider");
    } else {
      entry->resource.provider = urn->second;
      entry->resource.provider_inputs = ConfiguredInputs(*entry);
    }
  }

  // The deprecated way to configure a provider, by its name, beside the list of resources.
  std::optional<PropertyMap> ConfiguredInputs(const ImportEntry& entry) {
    if (uses_.count(entry.provider) > 0) return {};
    return Properties(provider_inputs_, entry.provider.c_str(), entry);
  }

  const StackName& stack_;
  const bool protect_;
  SecretsManager* const secrets_;
  FileJson provider_inputs_;
  std::vector<ImportEntry> entries_;
  std::map<std::string, Urn> urns_;
  std::map<Urn, std::string> names_;
  std::map<std::string, int> uses_;
  std::set<std::string> taken_;
  std::vector<std::string> errors_;
};

// "name=urn" or "urn".
std::string AddName(const std::string& text, const std::string& fallback, FileJson* names) {
  const size_t equals = text.find('=');
  const bool named = equals != std::string::npos && equals < text.find(':');
  const std::string name = named ? text.substr(0, equals) : fallback;
  (*names)[name] = named ? text.substr(equals + 1) : text;
  return name;
}

}  // namespace

Result<std::vector<ImportResource>> ParseImportFile(const std::string& json, const StackName& stack, bool protect,
                                                    SecretsManager* secrets, std::map<Urn, std::string>* names) {
  const FileJson file = ParseJson(json);
  if (NestsTooDeep(json)) return Refuse({"the import file nests too deep"});
  if (!file.is_object()) return Refuse({"the import file is not a JSON object"});
  Parser parser(stack, protect, secrets);
  Result<std::vector<ImportResource>> imports = parser.Parse(file);
  if (names) *names = parser.Names();
  return imports;
}

Result<std::vector<ImportResource>> MakeImport(const ImportArguments& arguments, const StackName& stack, bool protect,
                                               std::map<Urn, std::string>* names) {
  FileJson table = FileJson::object();
  FileJson resource = {{"type", arguments.type}, {"name", arguments.name}, {"id", arguments.id}};
  if (!arguments.parent.empty()) resource["parent"] = AddName(arguments.parent, "parent", &table);
  if (!arguments.provider.empty()) resource["provider"] = AddName(arguments.provider, "provider", &table);
  if (!arguments.properties.empty()) resource["properties"] = arguments.properties;
  Parser parser(stack, protect, nullptr);
  Result<std::vector<ImportResource>> imports = parser.Parse({{"nameTable", table}, {"resources", {resource}}});
  if (names) *names = parser.Names();
  return imports;
}

}  // namespace kingpost
