// SPDX-License-Identifier: Apache-2.0
#include "scenarios/requests.h"

#include <algorithm>

#include "base/encoding.h"

namespace kingpost::scenarios {

namespace {

using Texts = std::vector<std::string>;

std::string Text(const Json& statement, const char* key) { return statement.value(key, ""); }
bool Flag(const Json& statement, const char* key) { return statement.value(key, false); }

// One word or a list of them.
Texts Words(const Json& statement, const char* key) {
  const auto found = statement.find(key);
  if (found == statement.end()) return {};
  return found->is_array() ? found->get<Texts>() : Texts{found->get<std::string>()};
}

std::vector<Urn> Urns(const Names& names, const Texts& words) {
  std::vector<Urn> urns;
  for (const std::string& word : words) urns.emplace_back(names.UrnOf(word));
  return urns;
}

Texts UrnTexts(const Names& names, const Texts& words) {
  Texts urns;
  for (const std::string& word : words) urns.push_back(names.UrnOf(word));
  return urns;
}

std::map<std::string, std::string> Checksums(const Json& statement, const char* key) {
  std::map<std::string, std::string> checksums;
  for (const auto& [platform, hex] : Mapping(statement, key).items()) {
    checksums[platform] = *HexDecode(hex.get<std::string>());
  }
  return checksums;
}

Alias ToAlias(const Names& names, const Json& json) {
  Alias alias;
  if (json.is_string()) {
    alias.urn = Urn(names.UrnOf(json));
    return alias;
  }
  AllowOnly(json, {"name", "type", "stack", "project", "parent", "noParent"}, "aliases");
  alias.name = Text(json, "name");
  alias.type = Text(json, "type");
  alias.stack = Text(json, "stack");
  alias.project = Text(json, "project");
  alias.parent_urn = Urn(names.UrnOf(Text(json, "parent")));
  alias.no_parent = Flag(json, "noParent");
  return alias;
}

ResourceHooks ToHooks(const Json& json) {
  static const std::map<std::string, HookKind> kKinds = {{"beforeCreate", HookKind::kBeforeCreate},
                                                         {"afterCreate", HookKind::kAfterCreate},
                                                         {"beforeUpdate", HookKind::kBeforeUpdate},
                                                         {"afterUpdate", HookKind::kAfterUpdate},
                                                         {"beforeDelete", HookKind::kBeforeDelete},
                                                         {"afterDelete", HookKind::kAfterDelete},
                                                         {"onError", HookKind::kOnError}};
  ResourceHooks hooks;
  for (const auto& [kind, names] : json.items()) {
    if (kKinds.count(kind) == 0) throw Mistake("hooks: unknown kind \"" + kind + "\"");
    hooks.of(kKinds.at(kind)) = names.get<Texts>();
  }
  return hooks;
}

std::optional<Parameterization> ToParameterization(const Json& statement, const char* key) {
  if (!statement.contains(key)) return std::nullopt;
  const Json& json = statement[key];
  AllowOnly(json, {"name", "version", "value"}, key);
  return Parameterization{Text(json, "name"), json.value("version", "1.0.0"), json.value("value", "")};
}

// A reference ("${a.id}") makes a dependency, as SDKs have it.
void AddDependencies(const Names& names, const Json& statement, RegisterResourceRequest* request) {
  request->dependencies = Urns(names, Words(statement, "dependsOn"));
  // Output values tell themselves what they depend on.
  const Json inputs = Flag(statement, "outputValues") ? Json::object() : statement.value("inputs", Json::object());
  std::set<std::string> all;
  for (const auto& [key, input] : inputs.items()) {
    std::set<std::string> labels;
    names.Mentions(input, &labels);
    for (const std::string& label : labels) request->property_dependencies[key].emplace_back(names.UrnOf(label));
    all.insert(labels.begin(), labels.end());
  }
  for (const std::string& label : all) request->dependencies.emplace_back(names.UrnOf(label));
  if (!all.empty()) {
    for (const auto& [key, input] : inputs.items()) request->property_dependencies[key];
  }
  for (const auto& [key, labels] : Mapping(statement, "propertyDependencies").items()) {
    request->property_dependencies[key] = Urns(names, labels.get<Texts>());
  }
}

// "p" or a map of packages to providers, or a list of providers, whose packages are known by their types.
std::map<std::string, std::string> Providers(const Names& names, const Json& statement) {
  std::map<std::string, std::string> providers;
  for (const std::string& word : Words(statement, "providers")) {
    const std::string reference = names.ReferenceOf(word);
    providers[std::string(ProviderPackage(Urn(names.UrnOf(word)).type()))] = reference;
  }
  return providers;
}

void AddIdentity(const Json& statement, RegisterResourceRequest* request) {
  const std::string kind = KindOf(statement);
  if (kind != "stack") request->name = statement[kind];
  if (kind == "component") {
    request->type = statement.value("type", "my:index:Component");
    request->custom = false;
  } else if (kind == "stack") {
    request->type = kRootStackType;
    request->name = std::string(kProject) + "-" + kStack;
  } else if (kind == "provider") {
    request->type = MakeProviderType(statement.value("package", "pkg"));
    request->custom = true;
  } else {
    request->type = statement.value("type", kDefaultType);
    request->custom = true;
  }
  request->remote = Flag(statement, "remote");
}

void AddOptions(const Names& names, const Json& statement, RegisterResourceRequest* request) {
  if (statement.contains("protect")) request->protect = Flag(statement, "protect");
  if (statement.contains("retainOnDelete")) request->retain_on_delete = Flag(statement, "retainOnDelete");
  if (statement.contains("deleteBeforeReplace")) {
    request->delete_before_replace = Flag(statement, "deleteBeforeReplace");
  }
  request->ignore_changes = Words(statement, "ignoreChanges");
  request->replace_on_changes = Words(statement, "replaceOnChanges");
  request->hide_diffs = Words(statement, "hideDiffs");
  request->additional_secret_outputs = Words(statement, "additionalSecretOutputs");
  request->import_id = Text(statement, "import");
  const Json timeouts = statement.value("timeouts", Json::object());
  AllowOnly(timeouts, {"create", "update", "delete", "read"}, "timeouts");
  request->timeout_create = Text(timeouts, "create");
  request->timeout_update = Text(timeouts, "update");
  request->timeout_delete = Text(timeouts, "delete");
  request->timeout_read = Text(timeouts, "read");
  request->deleted_with = Urn(names.UrnOf(Text(statement, "deletedWith")));
  request->replace_with = Urns(names, Words(statement, "replaceWith"));
  if (statement.contains("replacementTrigger")) {
    request->replacement_trigger = names.ToValue(statement["replacementTrigger"]);
  }
  for (const std::string& name : Words(statement, "transforms")) request->transforms.push_back({"program", name, true});
  if (statement.contains("hooks")) request->hooks = ToHooks(statement["hooks"]);
  for (const auto& [to, from] : Mapping(statement, "envVarMappings").items()) {
    request->env_var_mappings[to] = from;
  }
  for (const std::string& name : Words(statement, "stateMigrations")) {
    request->state_migrations.push_back({"program", name, true});
  }
  request->uses_output_values = Flag(statement, "outputValues");
  request->source_position = Text(statement, "source");
}

RegisterResourceRequest Registration(const Names& names, const Json& statement, const std::string& parent) {
  RegisterResourceRequest request;
  AddIdentity(statement, &request);
  request.parent = Urn(names.UrnOf(statement.value("parent", request.type == kRootStackType ? "" : parent)));
  request.inputs = names.ToProperties(statement.value("inputs", Json::object()));
  AddDependencies(names, statement, &request);
  request.provider = names.ReferenceOf(KindOf(statement) == "provider" ? "" : Text(statement, "provider"));
  request.providers = Providers(names, statement);
  request.version = Text(statement, "version");
  request.plugin_download_url = Text(statement, "pluginDownloadURL");
  request.plugin_checksums = Checksums(statement, "pluginChecksums");
  request.package_ref = names.PackageOf(Text(statement, KindOf(statement) == "provider" ? "ref" : "package"));
  AddOptions(names, statement, &request);
  for (const std::string& alias : Words(statement, "aliasURNs")) request.aliases.push_back(ToAlias(names, alias));
  for (const Json& alias : statement.value("aliases", Json::array())) request.aliases.push_back(ToAlias(names, alias));
  request.has_legacy_aliases = !statement.value("aliasSpecs", true) && Flag(statement, "fromNode");
  request.supports_result_reporting = statement.value("reportsResults", true);
  return request;
}

template <class F>
auto Checked(const F& make) -> Result<decltype(make())> {
  try {
    return make();
  } catch (const std::exception& error) {  // a Mistake, or a value of the wrong kind
    return Status(Code::kInvalidArgument, std::string("MISTAKE IN THE SCENARIO: ") + error.what());
  }
}

}  // namespace

std::string LabelOf(const Json& statement) {
  if (statement.contains("as")) return statement["as"];
  const std::string kind = KindOf(statement);
  return kind == "stack" ? "stack" : statement[kind].get<std::string>();
}

Result<RegisterResourceRequest> ToRegistration(const Names& names, const Json& statement, const std::string& parent) {
  return Checked([&] { return Registration(names, statement, parent); });
}

Result<ReadResourceRequest> ToRead(const Names& names, const Json& statement, const std::string& parent) {
  return Checked([&] {
    ReadResourceRequest request;
    request.name = statement["read"];
    request.type = statement.value("type", kDefaultType);
    const Value id = names.ToValue(statement["id"]);
    request.id = id.is_computed() ? std::string(kUnknownString) : id.as_string();
    request.parent = names.UrnOf(statement.value("parent", parent));
    request.properties = names.ToProperties(statement.value("inputs", Json::object()));
    request.dependencies = UrnTexts(names, Words(statement, "dependsOn"));
    request.provider = names.ReferenceOf(Text(statement, "provider"));
    request.version = Text(statement, "version");
    request.plugin_download_url = Text(statement, "pluginDownloadURL");
    request.package_ref = names.PackageOf(Text(statement, "package"));
    request.additional_secret_outputs = Words(statement, "additionalSecretOutputs");
    return request;
  });
}

Result<ExistsResourceRequest> ToExists(const Names& names, const Json& statement) {
  return Checked([&] {
    ExistsResourceRequest request;
    request.type = statement.value("type", kDefaultType);
    const Value id = names.ToValue(statement["exists"]);
    request.id = id.is_computed() ? std::string(kUnknownString) : id.as_string();
    request.parent = names.UrnOf(Text(statement, "parent"));
    request.properties = names.ToProperties(statement.value("inputs", Json::object()));
    request.provider = names.ReferenceOf(Text(statement, "provider"));
    request.version = Text(statement, "version");
    request.plugin_download_url = Text(statement, "pluginDownloadURL");
    request.package_ref = names.PackageOf(Text(statement, "package"));
    return request;
  });
}

Result<ResourceInvokeRequest> ToInvoke(const Names& names, const Json& statement) {
  return Checked([&] {
    ResourceInvokeRequest request;
    request.token = statement["invoke"];
    request.args = names.ToProperties(statement.value("args", Json::object()));
    request.provider = names.ReferenceOf(Text(statement, "provider"));
    request.version = Text(statement, "version");
    request.plugin_download_url = Text(statement, "pluginDownloadURL");
    request.package_ref = names.PackageOf(Text(statement, "package"));
    request.depends_on = UrnTexts(names, Words(statement, "dependsOn"));
    request.parent = names.UrnOf(Text(statement, "parent"));
    request.accept_output_values = Flag(statement, "outputValues");
    return request;
  });
}

Result<ResourceCallRequest> ToCall(const Names& names, const Json& statement) {
  return Checked([&] {
    ResourceCallRequest request;
    request.token = statement["call"];
    request.args = names.ToProperties(statement.value("args", Json::object()));
    for (const auto& [key, labels] : Mapping(statement, "dependencies").items()) {
      request.arg_dependencies[key] = UrnTexts(names, labels.get<Texts>());
    }
    request.provider = names.ReferenceOf(Text(statement, "provider"));
    request.version = Text(statement, "version");
    request.package_ref = names.PackageOf(Text(statement, "package"));
    request.accept_output_values = Flag(statement, "outputValues");
    return request;
  });
}

Result<RegisterPackageRequest> ToPackage(const Json& statement) {
  return Checked([&] {
    RegisterPackageRequest request;
    request.name = statement.value("plugin", "pkg");
    request.version = Text(statement, "version");
    request.download_url = Text(statement, "url");
    request.checksums = Checksums(statement, "checksums");
    request.parameterization = ToParameterization(statement, "parameterization");
    request.extension = ToParameterization(statement, "extension");
    return request;
  });
}

}  // namespace kingpost::scenarios
