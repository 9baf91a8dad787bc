// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/resource_request.h"

#include <algorithm>

#include "base/encoding.h"
#include "languages/pcl/conversions.h"
#include "languages/pcl/request_parts.h"
#include "languages/yaml/order.h"
#include "model/output_values.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

// Evaluates the properties. Those that an expression makes and is not known to hold may be any of the schema's.
Result<PropertyMap> EvaluateProperties(const std::vector<NamedExpression>& list, const pcl::ExpressionPtr& all,
                                       const schema::Resource& schema, pcl::Evaluator* evaluator,
                                       const pcl::Scope& scope) {
  PropertyMap values;
  const auto set = [&](const std::string& name, pcl::Datum datum) {
    const schema::Property* property = schema::FindProperty(schema.inputs, name);
    if (property && property->secret) datum.marks.secret = true;
    values.Set(name, pcl::CollapseReferences(pcl::Close(datum)));
  };
  for (const NamedExpression& property : list) {
    auto datum = evaluator->Evaluate(*property.value, scope);
    if (!datum.ok()) return datum.status();
    set(property.name, std::move(*datum));
  }
  if (all) {
    const auto made = evaluator->Evaluate(*all, scope);
    if (!made.ok()) return made.status();
    if (!made->known()) {
      for (const schema::Property& property : schema.inputs) set(property.name, pcl::Unknown(made->marks));
    } else if (!made->value.is_object()) {
      return pcl::ErrorAt(all->at,
                          std::string("properties must be a plain object value was ") + pcl::KindName(made->value));
    } else {
      for (const auto& [name, value] : made->value.as_object()) set(name, pcl::Open(value, made->marks));
    }
  }
  for (const schema::Property& output : schema.outputs) {
    if (output.constant) values.Set(output.name, schema::ValueOf(*output.constant));
  }
  return values;
}

// The dependencies of `value` itself: an output's contents are among its dependencies.
void CollectReferences(const Value& value, std::vector<Urn>* urns) {
  if (value.is_reference()) urns->push_back(value.as_reference().urn);
  if (value.is_secret()) CollectReferences(value.as_secret().element, urns);
  if (value.is_array()) {
    for (const Value& element : value.as_array()) CollectReferences(element, urns);
  }
  if (value.is_object()) {
    for (const auto& [key, element] : value.as_object()) CollectReferences(element, urns);
  }
}

// Each property has its list, an empty one too: of a request without any the monitor would take it that each property
// depends on all that the resource depends on.
void SetInputs(PropertyMap inputs, RegisterResourceRequest* request) {
  inputs = WithoutNulls(Value(std::move(inputs))).as_object();
  pcl::SetInputs(inputs, request);
  for (const auto& [name, value] : inputs) {
    std::vector<Urn> urns;
    // A resource that is a property is depended on as one whose property it is; a component does not wait for it.
    if (!request->remote) CollectReferences(value, &urns);
    auto& of_property = request->property_dependencies[name];
    for (const Urn& urn : urns) {
      if (std::find(of_property.begin(), of_property.end(), urn) != of_property.end()) continue;
      of_property.push_back(urn);
      request->dependencies.push_back(urn);
    }
  }
}

// Options that need no evaluation. In a component the name begins with the component's own.
RegisterResourceRequest BeginRequest(const Declaration& declaration) {
  const ResourceDecl& resource = declaration.resource;
  RegisterResourceRequest request;
  request.type = declaration.resolved.schema->token;
  request.name = (declaration.component_name.empty() ? "" : declaration.component_name + "-") + resource.name;
  request.package_ref = declaration.resolved.package_ref;
  if (declaration.source_path.empty()) return request;
  request.source_position = "file://" + declaration.source_path + "#" + std::to_string(resource.at.line) + "," +
                            std::to_string(resource.at.column);
  return request;
}

constexpr const char* kOptionsOfReads[] = {"parent",  "provider",         "dependsOn", "additionalSecretOutputs",
                                           "version", "pluginDownloadURL"};

Status Wrong(const std::string& what) { return Status(Code::kInvalidArgument, what); }

Status CheckProvider(const Value& value, const std::string& what) {
  auto provider = AsResource(value);
  if (!provider.ok() || IsProviderType(Urn(provider->urn).type())) return provider.status();
  return Wrong("resource passed as " + what + " was not a provider resource '" + provider->urn + "'");
}

Status CheckResources(const std::string& option, const Value& list) {
  const std::string what = "resource option " + option + " value must be a list of ";
  if (list.is_computed()) return Wrong(what + "resource, not an output");
  if (!list.is_array()) return Wrong(what + "resources");
  for (const Value& element : list.as_array()) KP_TRY(AsResource(element).status());
  if (option != "providers") return Status();
  for (const Value& element : list.as_array()) KP_TRY(CheckProvider(element, "provider"));
  return Status();
}

// The mistake in the value of an option, in the words of the reference.
Status CheckOption(const std::string& option, const Value& value) {
  if (option == "protect" && !value.is_bool()) return Wrong("protect must be a boolean value");
  if (option == "provider") return CheckProvider(value, "Provider");
  if (option == "parent" || option == "deletedWith") return AsResource(value).status();
  if (option == "dependsOn" || option == "providers" || option == "replaceWith") return CheckResources(option, value);
  if (option != "envVarMappings") return Status();
  if (!value.is_object()) return Wrong("envVarMappings must be an object with string values");
  for (const auto& [key, text] : value.as_object()) {
    if (!text.is_string()) return Wrong("envVarMappings value for key " + Quote(key) + " must be a string");
  }
  return Status();
}

class OptionReader {
 public:
  OptionReader(pcl::Evaluator* evaluator, const pcl::Scope& scope) : evaluator_(*evaluator), scope_(scope) {}

  Status Read(const NamedExpression& option, RegisterResourceRequest* request) {
    if (option.name == "aliases") return ReadAliases(*option.value->as<pcl::TupleLiteral>(), &request->aliases);
    if (option.name == "customTimeouts") return ReadTimeouts(*option.value->as<pcl::ObjectLiteral>(), request);
    auto datum = evaluator_.Evaluate(*option.value, scope_);
    if (!datum.ok()) return datum.status();
    if (option.name == "replacementTrigger") {
      const Value value = pcl::Close(*datum);
      std::vector<Urn> waited_for;
      CollectOutputDependencies(value, &waited_for);
      for (const Urn& urn : waited_for) AddUnique(&request->dependencies, urn);
      request->replacement_trigger = FlattenOutputs(value);
      return Status();
    }
    Status set = CheckOption(option.name, datum->value);
    if (set.ok()) set = pcl::SetOption(option.name, datum->value, request);
    return set.ok() ? set : pcl::ErrorAt(option.value->at, set.message());
  }

 private:
  Status ReadTimeouts(const pcl::ObjectLiteral& given, RegisterResourceRequest* request) {
    PropertyMap timeouts;
    for (const auto& [key, value] : given.items) {
      auto text = ReadText(*value, "customTimeouts." + *LiteralText(key));
      if (!text.ok()) return text.status();
      timeouts.Set(*LiteralText(key), Value(*text));
    }
    return pcl::SetOption("customTimeouts", Value(std::move(timeouts)), request);
  }

  Status ReadAliases(const pcl::TupleLiteral& given, std::vector<Alias>* aliases) {
    for (const pcl::ExpressionPtr& each : given.elements) {
      Alias& alias = aliases->emplace_back();
      if (const auto* object = each->as<pcl::ObjectLiteral>()) {
        for (const auto& [key, value] : object->items) KP_TRY(ReadAliasField(*LiteralText(key), *value, &alias));
      } else {
        auto urn = ReadText(*each, "an alias");
        if (!urn.ok()) return urn.status();
        alias.urn = Urn(*urn);
      }
    }
    return Status();
  }

  Status ReadAliasField(const std::string& name, const pcl::Expression& given, Alias* alias) {
    if (name == "noParent" || name == "parent") {
      auto datum = evaluator_.Evaluate(given, scope_);
      if (!datum.ok()) return datum.status();
      const Value& value = datum->value;
      const auto parent = AsResource(value);
      if (name == "noParent") {
        if (!value.is_bool()) return pcl::ErrorAt(given.at, "noParent must be a boolean value");
        alias->no_parent = value.as_bool();
      } else if (value.is_string() || parent.ok()) {
        alias->parent_urn = Urn(parent.ok() ? parent->urn : value.as_string());
      } else {
        return pcl::ErrorAt(given.at, std::string("expected a resource or string, found ") + pcl::KindName(value));
      }
      return Status();
    }
    auto text = ReadText(given, name);
    if (!text.ok()) return text.status();
    if (name == "urn") alias->urn = Urn(*text);
    if (name == "name") alias->name = *text;
    if (name == "type") alias->type = *text;
    if (name == "stack") alias->stack = *text;
    if (name == "project") alias->project = *text;
    return Status();
  }

  Result<std::string> ReadText(const pcl::Expression& expression, const std::string& what) {
    auto datum = evaluator_.Evaluate(expression, scope_);
    if (!datum.ok()) return datum.status();
    if (datum->value.is_string()) return datum->value.as_string();
    return pcl::ErrorAt(expression.at, what + " must be a string, got " + pcl::KindName(datum->value));
  }

  pcl::Evaluator& evaluator_;
  const pcl::Scope& scope_;
};

// For a resource that is read, only those options that affect it.
Status ReadOptions(const Declaration& declaration, pcl::Evaluator* evaluator, const pcl::Scope& scope,
                   RegisterResourceRequest* request) {
  const ResourceDecl& resource = declaration.resource;
  request->parent = declaration.parent;
  if (const ResourceDecl* implied = ImpliedProviderOf(declaration.body, resource)) {
    const pcl::Scope::Entry* known = scope.Find(implied->key);
    KP_ASSERT(known, "a resource comes after the default provider of its package");
    KP_TRY(pcl::SetOption("provider", known->datum.value, request));
  }
  OptionReader reader(evaluator, scope);
  for (const NamedExpression& option : resource.options) {
    const bool of_reads = std::ranges::find(kOptionsOfReads, option.name) != std::end(kOptionsOfReads);
    if (of_reads || !IsRead(resource)) KP_TRY(reader.Read(option, request));
  }
  // A component's own provider is that of what it makes, too.
  if (!request->remote || request->provider.empty()) return Status();
  const auto own = ProviderReference::Parse(request->provider);
  if (!own.ok()) return own.status();
  request->providers.try_emplace(schema::PackageOf(std::string(own->urn.type())), request->provider);
  return Status();
}

// The names that the resources of a component had before they began with the component's own. Not where another
// resource of the component is called so now.
void AddAliasOfOldName(const Declaration& declaration, RegisterResourceRequest* request) {
  const auto& resources = declaration.body.resources;
  const bool taken = std::any_of(resources.begin(), resources.end(), [&](const ResourceDecl& other) {
    return other.key != declaration.resource.key && other.name == request->name;
  });
  if (taken) return;
  Alias alias;
  const Urn& parent = declaration.parent;
  alias.urn =
      Urn::Make(parent.stack(), parent.project(), parent.qualified_type(), request->type, declaration.resource.name);
  request->aliases.insert(request->aliases.begin(), std::move(alias));
}

}  // namespace

Result<pcl::ResourceHandle> AsResource(const Value& value) {
  const Value opened = pcl::Open(value).value;
  auto handle = pcl::ResourceIn(opened);
  if (handle.ok() && (opened.is_reference() || opened.as_object().Has("__type"))) return handle;
  return Wrong(std::string("expected resource, got ") + pcl::KindName(opened));
}

Value WithoutNulls(const Value& value, bool outputs_too) {
  const auto empty = [outputs_too](const Value& of_key) {
    if (!outputs_too || !of_key.is_output()) return of_key.is_null();
    const OutputData& output = of_key.as_output();
    return output.known && !output.secret && output.element.is_null();
  };
  return Rewrite(value, [&empty](const Value& part) {
    if (!part.is_object()) return part;
    PropertyMap kept;
    for (const auto& [key, of_key] : part.as_object()) {
      if (!empty(of_key)) kept.Set(key, of_key);
    }
    return kept.size() == part.as_object().size() ? part : Value(std::move(kept));
  });
}

bool IsRead(const ResourceDecl& resource) { return resource.get_id || resource.type.value == kStackReferenceType; }

Result<RegisterResourceRequest> MakeRegisterRequest(const Declaration& declaration, pcl::Evaluator* evaluator,
                                                    const pcl::Scope& scope) {
  const ResourceDecl& resource = declaration.resource;
  const schema::Resource& schema = *declaration.resolved.schema;
  RegisterResourceRequest request = BeginRequest(declaration);
  request.custom = !schema.component;
  request.remote = schema.component;
  request.supports_result_reporting = true;
  auto inputs = EvaluateProperties(resource.properties, resource.all_properties, schema, evaluator, scope);
  if (!inputs.ok()) return inputs.status();
  SetInputs(std::move(*inputs), &request);
  KP_TRY(ReadOptions(declaration, evaluator, scope, &request));
  pcl::AddSchemaOptions(schema, &request);
  for (const std::string& type : schema.aliases) request.aliases.emplace_back().type = type;
  if (!declaration.component_name.empty()) AddAliasOfOldName(declaration, &request);
  return request;
}

Result<ReadResourceRequest> MakeReadRequest(const Declaration& declaration, pcl::Evaluator* evaluator,
                                            const pcl::Scope& scope) {
  const ResourceDecl& resource = declaration.resource;
  RegisterResourceRequest asked = BeginRequest(declaration);
  auto properties = EvaluateProperties(resource.get_id ? resource.get_state : resource.properties, nullptr,
                                       *declaration.resolved.schema, evaluator, scope);
  if (!properties.ok()) return properties.status();
  pcl::SetInputs(std::move(*properties), &asked);

  pcl::Datum id{Value(resource.key), {}};
  if (resource.get_id) {
    auto given = evaluator->Evaluate(*resource.get_id, scope);
    if (!given.ok()) return given.status();
    id = std::move(*given);
  } else if (const Value* name = asked.inputs.Find("name")) {  // of a stack reference
    id = pcl::Open(*name);
  } else {
    asked.inputs.Set("name", Value(resource.key));
  }
  if (id.known() && !id.value.is_string()) {
    const pcl::Position at = resource.get_id ? resource.get_id->at : resource.at;
    return pcl::ErrorAt(at, std::string(resource.get_id ? "get.id" : "'name' property") +
                                " must be a string, instead got type " + pcl::KindName(id.value));
  }
  const auto& of_id = id.marks.dependencies;
  asked.dependencies.insert(asked.dependencies.end(), of_id.begin(), of_id.end());
  KP_TRY(ReadOptions(declaration, evaluator, scope, &asked));

  ReadResourceRequest request;
  request.id = id.known() ? id.value.as_string() : std::string(kUnknownString);
  request.type = asked.type;
  request.name = asked.name;
  request.parent = asked.parent.str();
  request.properties = std::move(asked.inputs);
  for (const Urn& urn : asked.dependencies) request.dependencies.push_back(urn.str());
  request.provider = asked.provider;
  request.version = asked.version;
  request.plugin_download_url = asked.plugin_download_url;
  request.package_ref = asked.package_ref;
  request.additional_secret_outputs = asked.additional_secret_outputs;
  request.source_position = asked.source_position;
  return request;
}

}  // namespace kingpost::yaml
