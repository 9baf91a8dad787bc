// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/resource_request.h"

#include <algorithm>

#include "languages/pcl/conversions.h"
#include "languages/pcl/request_inputs.h"
#include "languages/yaml/option_reader.h"
#include "languages/yaml/order.h"
#include "languages/yaml/resource_value.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

class Properties {
 public:
  Properties(const schema::Resource& schema, pcl::Evaluator* evaluator, const pcl::Scope& scope)
      : schema_(schema), evaluator_(*evaluator), scope_(scope) {}

  Status Add(const std::vector<NamedExpression>& list) {
    for (const NamedExpression& property : list) {
      auto datum = evaluator_.Evaluate(*property.value, scope_);
      if (!datum.ok()) return datum.status();
      Set(property.name, std::move(*datum));
    }
    return Status();
  }

  // The properties of an object that an expression makes. What it is not known to hold may be any of the schema's.
  Status AddAllOf(const pcl::Expression& expression) {
    auto datum = evaluator_.Evaluate(expression, scope_);
    if (!datum.ok()) return datum.status();
    if (!datum->known()) {
      for (const schema::Property& property : schema_.inputs) Set(property.name, pcl::Unknown(datum->marks));
      return Status();
    }
    if (!datum->value.is_object()) {
      return pcl::ErrorAt(expression.at,
                          std::string("properties must be a plain object value was ") + pcl::KindName(datum->value));
    }
    for (const auto& [name, value] : datum->value.as_object()) {
      pcl::Datum part = pcl::Open(value);
      part.marks.Add(datum->marks);
      Set(name, std::move(part));
    }
    return Status();
  }

  PropertyMap Take() {
    for (const schema::Property& output : schema_.outputs) {
      if (output.constant) values_.Set(output.name, schema::ValueOf(*output.constant));
    }
    return std::move(values_);
  }

 private:
  void Set(const std::string& name, pcl::Datum datum) {
    const schema::Property* property = schema::FindProperty(schema_.inputs, name);
    if (property && property->secret) datum.marks.secret = true;
    values_.Set(name, pcl::CollapseReferences(pcl::Close(datum)));
  }

  const schema::Resource& schema_;
  pcl::Evaluator& evaluator_;
  const pcl::Scope& scope_;
  PropertyMap values_;
};

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

std::string SourcePosition(const Declaration& declaration) {
  if (declaration.source_path.empty()) return "";
  const pcl::Position at = declaration.resource.at;
  return "file://" + declaration.source_path + "#" + std::to_string(at.line) + "," + std::to_string(at.column);
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

bool IsRead(const ResourceDecl& resource) { return resource.get_id || resource.type.value == kStackReferenceType; }

std::string NameOf(const Declaration& declaration) {
  const std::string& name = declaration.resource.name;
  return declaration.component_name.empty() ? name : declaration.component_name + "-" + name;
}

Result<RegisterResourceRequest> MakeRegisterRequest(const Declaration& declaration, pcl::Evaluator* evaluator,
                                                    const pcl::Scope& scope) {
  const ResourceDecl& resource = declaration.resource;
  const schema::Resource& schema = *declaration.resolved.schema;
  RegisterResourceRequest request;
  request.type = schema.token;
  request.name = NameOf(declaration);
  request.custom = !schema.component;
  request.remote = schema.component;
  request.package_ref = declaration.resolved.package_ref;
  request.supports_result_reporting = true;
  request.source_position = SourcePosition(declaration);
  Properties properties(schema, evaluator, scope);
  Status evaluated =
      resource.all_properties ? properties.AddAllOf(*resource.all_properties) : properties.Add(resource.properties);
  if (!evaluated.ok()) return evaluated;
  SetInputs(properties.Take(), &request);
  evaluated = ReadOptions(declaration, evaluator, scope, &request);
  if (!evaluated.ok()) return evaluated;
  if (!declaration.component_name.empty()) AddAliasOfOldName(declaration, &request);
  return request;
}

Result<ReadResourceRequest> MakeReadRequest(const Declaration& declaration, pcl::Evaluator* evaluator,
                                            const pcl::Scope& scope) {
  const ResourceDecl& resource = declaration.resource;
  ReadResourceRequest request;
  request.type = declaration.resolved.schema->token;
  request.name = NameOf(declaration);
  request.package_ref = declaration.resolved.package_ref;
  request.additional_secret_outputs = resource.options.additional_secret_outputs;
  request.source_position = SourcePosition(declaration);
  if (resource.options.version) request.version = resource.options.version->value;
  if (resource.options.plugin_download_url) request.plugin_download_url = resource.options.plugin_download_url->value;

  Properties properties(*declaration.resolved.schema, evaluator, scope);
  Status evaluated = properties.Add(resource.get_id ? resource.get_state : resource.properties);
  if (!evaluated.ok()) return evaluated;
  RegisterResourceRequest inputs;
  pcl::SetInputs(properties.Take(), &inputs);
  request.properties = std::move(inputs.inputs);
  for (const Urn& urn : inputs.dependencies) request.dependencies.push_back(urn.str());

  pcl::Datum id{Value(resource.key), {}};
  if (resource.get_id) {
    auto given = evaluator->Evaluate(*resource.get_id, scope);
    if (!given.ok()) return given.status();
    id = std::move(*given);
  } else if (const Value* name = request.properties.Find("name")) {  // of a stack reference
    id = pcl::Open(*name);
  } else {
    request.properties.Set("name", Value(resource.key));
  }
  if (id.known() && !id.value.is_string()) {
    const pcl::Position at = resource.get_id ? resource.get_id->at : resource.at;
    return pcl::ErrorAt(at, std::string(resource.get_id ? "get.id" : "'name' property") +
                                " must be a string, instead got type " + pcl::KindName(id.value));
  }
  request.id = id.known() ? id.value.as_string() : std::string(kUnknownString);
  for (const Urn& urn : id.marks.dependencies) request.dependencies.push_back(urn.str());

  auto options = EvaluateReadOptions(declaration, evaluator, scope);
  if (!options.ok()) return options.status();
  request.parent = options->parent;
  request.provider = options->provider;
  for (std::string& urn : options->dependencies) request.dependencies.push_back(std::move(urn));
  return request;
}

}  // namespace kingpost::yaml
