// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/resource_request.h"

#include <algorithm>

#include "languages/pcl/conversions.h"
#include "languages/pcl/request_parts.h"
#include "languages/yaml/option_reader.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

// What the properties are. Those that an expression makes and is not known to hold may be any of the schema's.
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
      for (const auto& [name, value] : made->value.as_object()) {
        pcl::Datum part = pcl::Open(value);
        part.marks.Add(made->marks);
        set(name, std::move(part));
      }
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

// What needs no evaluation. In a component the name begins with the component's own.
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
