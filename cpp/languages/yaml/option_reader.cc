// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/option_reader.h"

#include "base/encoding.h"
#include "languages/yaml/option_flags.h"
#include "languages/yaml/order.h"
#include "languages/yaml/resource_value.h"
#include "model/output_values.h"

namespace kingpost::yaml {

namespace {

class OptionReader {
 public:
  OptionReader(const Declaration& declaration, pcl::Evaluator* evaluator, const pcl::Scope& scope)
      : declaration_(declaration), options_(declaration.resource.options), evaluator_(*evaluator), scope_(scope) {}

  Status Read(RegisterResourceRequest* request) {
    for (const auto step : {&OptionReader::ReadWords, &OptionReader::ReadResources, &OptionReader::ReadValues,
                            &OptionReader::ReadAliases, &OptionReader::ReadTimeouts}) {
      if (Status read = (this->*step)(request); !read.ok()) return read;
    }
    return Status();
  }

  Result<std::string> Parent() {
    if (!options_.parent) return declaration_.parent.str();
    auto parent = Resource(options_.parent);
    return parent.ok() ? Result<std::string>(parent->urn) : parent.status();
  }

  // "" for the provider that the engine chooses.
  Result<std::string> Provider() {
    if (!options_.provider) return ImpliedProvider();
    auto provider = Resource(options_.provider);
    if (!provider.ok()) return provider.status();
    if (!IsProviderType(Urn(provider->urn).type())) {
      return pcl::ErrorAt(options_.provider->at,
                          "resource passed as Provider was not a provider resource '" + provider->urn + "'");
    }
    return provider->reference();
  }

  Status ReadList(const pcl::ExpressionPtr& option, const char* name, std::vector<ResourceHandle>* handles) {
    if (!option) return Status();
    auto datum = evaluator_.Evaluate(*option, scope_);
    if (!datum.ok()) return datum.status();
    if (!datum->known()) {
      return pcl::ErrorAt(option->at,
                          std::string("resource option ") + name + " value must be a list of resource, not an output");
    }
    if (!datum->value.is_array()) {
      return pcl::ErrorAt(option->at, std::string("resource option ") + name + " value must be a list of resources");
    }
    for (const Value& element : datum->value.as_array()) {
      auto handle = AsResource(element);
      if (!handle.ok()) return pcl::ErrorAt(option->at, handle.status().message());
      handles->push_back(std::move(*handle));
    }
    return Status();
  }

 private:
  Status ReadWords(RegisterResourceRequest* request) {
    request->additional_secret_outputs = options_.additional_secret_outputs;
    request->ignore_changes = options_.ignore_changes;
    request->replace_on_changes = options_.replace_on_changes;
    request->hide_diffs = options_.hide_diffs;
    ForEachSpelledFlag([&](const auto& field) { request->*field.goal = options_.spelled.*field.goal; });
    if (options_.import_id) request->import_id = options_.import_id->value;
    if (options_.version) request->version = options_.version->value;
    if (options_.plugin_download_url) request->plugin_download_url = options_.plugin_download_url->value;
    for (const schema::Property& output : declaration_.resolved.schema->outputs) {
      if (output.secret) request->additional_secret_outputs.push_back(output.name);
    }
    for (std::string& path : schema::ReplaceOnChangesPaths(*declaration_.resolved.schema)) {
      request->replace_on_changes.push_back(std::move(path));
    }
    return Status();
  }

  Status ReadResources(RegisterResourceRequest* request) {
    auto parent = Parent();
    if (!parent.ok()) return parent.status();
    request->parent = Urn(*parent);
    auto provider = Provider();
    if (!provider.ok()) return provider.status();
    request->provider = *provider;
    std::vector<ResourceHandle> depends_on, providers, replace_with;
    if (Status read = ReadList(options_.depends_on, "dependsOn", &depends_on); !read.ok()) return read;
    for (const ResourceHandle& handle : depends_on) request->dependencies.emplace_back(handle.urn);
    if (Status read = ReadList(options_.providers, "providers", &providers); !read.ok()) return read;
    for (const ResourceHandle& handle : providers) {
      const std::string type(Urn(handle.urn).type());
      if (!IsProviderType(type)) {
        return pcl::ErrorAt(options_.providers->at,
                            "resource passed as provider was not a provider resource '" + handle.urn + "'");
      }
      request->providers[schema::PackageOf(type)] = handle.reference();
    }
    // A component's own provider is that of what it makes, too.
    if (request->remote && !request->provider.empty()) {
      const auto own = ProviderReference::Parse(request->provider);
      if (!own.ok()) return own.status();
      request->providers.try_emplace(schema::PackageOf(std::string(own->urn.type())), request->provider);
    }
    if (Status read = ReadList(options_.replace_with, "replaceWith", &replace_with); !read.ok()) return read;
    for (const ResourceHandle& handle : replace_with) request->replace_with.emplace_back(handle.urn);
    if (!options_.deleted_with) return Status();
    auto deleted_with = Resource(options_.deleted_with);
    if (deleted_with.ok()) request->deleted_with = Urn(deleted_with->urn);
    return deleted_with.status();
  }

  Status ReadValues(RegisterResourceRequest* request) {
    if (options_.protect) {
      auto protect = evaluator_.Evaluate(*options_.protect, scope_);
      if (!protect.ok()) return protect.status();
      if (!protect->value.is_bool()) return pcl::ErrorAt(options_.protect->at, "protect must be a boolean value");
      request->protect = protect->value.as_bool();
    }
    if (options_.replacement_trigger) {
      auto trigger = evaluator_.Evaluate(*options_.replacement_trigger, scope_);
      if (!trigger.ok()) return trigger.status();
      const Value value = pcl::Close(*trigger);
      std::vector<Urn> waited_for;
      CollectOutputDependencies(value, &waited_for);
      for (const Urn& urn : waited_for) AddUnique(&request->dependencies, urn);
      request->replacement_trigger = FlattenOutputs(value);
    }
    if (!options_.env_var_mappings) return Status();
    auto mappings = evaluator_.Evaluate(*options_.env_var_mappings, scope_);
    if (!mappings.ok()) return mappings.status();
    const pcl::Position at = options_.env_var_mappings->at;
    if (!mappings->value.is_object()) return pcl::ErrorAt(at, "envVarMappings must be an object with string values");
    for (const auto& [key, value] : mappings->value.as_object()) {
      if (!value.is_string()) {
        return pcl::ErrorAt(at, "envVarMappings value for key " + Quote(key) + " must be a string");
      }
      request->env_var_mappings[key] = value.as_string();
    }
    return Status();
  }

  Status ReadAliases(RegisterResourceRequest* request) {
    for (const Alternative& given : options_.aliases) {
      Alias alias;
      if (given.urn) {
        std::string text;
        if (Status read = ReadText(given.urn, "an alias", &text); !read.ok()) return read;
        alias.urn = Urn(text);
      }
      for (const NamedExpression& field : given.fields) {
        if (Status read = ReadAliasField(field, &alias); !read.ok()) return read;
      }
      request->aliases.push_back(std::move(alias));
    }
    for (const std::string& type : declaration_.resolved.schema->aliases) {
      Alias alias;
      alias.type = type;
      request->aliases.push_back(std::move(alias));
    }
    return Status();
  }

  Status ReadAliasField(const NamedExpression& field, Alias* alias) {
    if (field.name == "noParent") {
      auto datum = evaluator_.Evaluate(*field.value, scope_);
      if (!datum.ok()) return datum.status();
      if (!datum->value.is_bool()) return pcl::ErrorAt(field.value->at, "noParent must be a boolean value");
      alias->no_parent = datum->value.as_bool();
      return Status();
    }
    if (field.name == "parent") {
      auto datum = evaluator_.Evaluate(*field.value, scope_);
      if (!datum.ok()) return datum.status();
      if (datum->value.is_string()) {
        alias->parent_urn = Urn(datum->value.as_string());
        return Status();
      }
      auto handle = AsResource(datum->value);
      if (!handle.ok()) {
        return pcl::ErrorAt(field.value->at,
                            std::string("expected a resource or string, found ") + pcl::KindName(datum->value));
      }
      alias->parent_urn = Urn(handle->urn);
      return Status();
    }
    std::string text;
    if (Status read = ReadText(field.value, field.name, &text); !read.ok()) return read;
    if (field.name == "urn") alias->urn = Urn(text);
    if (field.name == "name") alias->name = text;
    if (field.name == "type") alias->type = text;
    if (field.name == "stack") alias->stack = text;
    if (field.name == "project") alias->project = text;
    return Status();
  }

  Status ReadTimeouts(RegisterResourceRequest* request) {
    for (const NamedExpression& timeout : options_.custom_timeouts) {
      std::string text;
      Status read = ReadText(timeout.value, "customTimeouts." + timeout.name, &text);
      if (!read.ok()) return read;
      if (timeout.name == "create") request->timeout_create = text;
      if (timeout.name == "update") request->timeout_update = text;
      if (timeout.name == "delete") request->timeout_delete = text;
      if (timeout.name == "read") request->timeout_read = text;
    }
    return Status();
  }

  Status ReadText(const pcl::ExpressionPtr& expression, const std::string& what, std::string* text) {
    auto datum = evaluator_.Evaluate(*expression, scope_);
    if (!datum.ok()) return datum.status();
    if (!datum->value.is_string()) {
      return pcl::ErrorAt(expression->at, what + " must be a string, got " + pcl::KindName(datum->value));
    }
    *text = datum->value.as_string();
    return Status();
  }

  Result<ResourceHandle> Resource(const pcl::ExpressionPtr& option) {
    auto datum = evaluator_.Evaluate(*option, scope_);
    if (!datum.ok()) return datum.status();
    auto handle = AsResource(datum->value);
    if (!handle.ok()) return pcl::ErrorAt(option->at, handle.status().message());
    return handle;
  }

  // That of the package for which the program declares a default one.
  Result<std::string> ImpliedProvider() {
    const ResourceDecl& resource = declaration_.resource;
    if (IsProviderType(resource.type.value)) return std::string();
    const ResourceDecl* provider = DefaultProviderOf(declaration_.body, schema::PackageOf(resource.type.value));
    if (!provider) return std::string();
    const pcl::Scope::Entry* known = scope_.Find(provider->key);
    KP_ASSERT(known, "a resource comes after the default provider of its package");
    auto handle = AsResource(known->datum.value);
    return handle.ok() ? Result<std::string>(handle->reference()) : handle.status();
  }

  const Declaration& declaration_;
  const ResourceOptions& options_;
  pcl::Evaluator& evaluator_;
  const pcl::Scope& scope_;
};

}  // namespace

Status ReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator, const pcl::Scope& scope,
                   RegisterResourceRequest* request) {
  return OptionReader(declaration, evaluator, scope).Read(request);
}

Result<ReadResourceOptions> EvaluateReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator,
                                                const pcl::Scope& scope) {
  OptionReader reader(declaration, evaluator, scope);
  ReadResourceOptions options;
  auto parent = reader.Parent();
  if (!parent.ok()) return parent.status();
  options.parent = *parent;
  auto provider = reader.Provider();
  if (!provider.ok()) return provider.status();
  options.provider = *provider;
  std::vector<ResourceHandle> depends_on;
  Status read = reader.ReadList(declaration.resource.options.depends_on, "dependsOn", &depends_on);
  if (!read.ok()) return read;
  for (const ResourceHandle& handle : depends_on) options.dependencies.push_back(handle.urn);
  return options;
}

}  // namespace kingpost::yaml
