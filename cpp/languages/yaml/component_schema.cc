// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/builtins.h"
#include "languages/yaml/component_provider.h"

namespace kingpost::yaml {

namespace {

Value AnyType() { return Value(PropertyMap{{"$ref", "pulumi.json#/Any"}}); }

// `items` of lists, and of lists in them.
Result<PropertyMap> TypeSpec(const std::string& type, const Node& items, pcl::Position at) {
  if (type == "string" || type == "integer" || type == "boolean" || type == "number") {
    return PropertyMap{{"type", type}};
  }
  if (type == "object") return PropertyMap{{"type", "object"}, {"additionalProperties", AnyType()}};
  if (type != "array") {
    return pcl::ErrorAt(
        at, "unknown type: " + type + ": an input is a string, an integer, a number, a boolean, an object or an array");
  }
  const Node* element = FindField(items, "type");
  if (!element || !element->is_text()) return pcl::ErrorAt(at, "missing items: an array needs the type of its items");
  const Node* deeper = FindField(items, "items");
  auto inner = TypeSpec(element->text, deeper ? *deeper : Node(), element->at);
  if (!inner.ok()) return inner;
  return PropertyMap{{"type", "array"}, {"items", Value(std::move(*inner))}};
}

Result<PropertyMap> ResourceSpec(const ComponentDecl& component, const std::string& token) {
  PropertyMap inputs, outputs;
  Array required, given;
  for (const ConfigDecl& input : component.body.config) {
    if (!input.type) return pcl::ErrorAt(input.at, "missing type of the input '" + input.key + "'");
    auto spec = TypeSpec(input.type->value, input.items, input.type->at);
    if (!spec.ok()) return spec;
    if (!input.description.empty()) spec->Set("description", Value(input.description));
    if (input.secret.value_or(false)) spec->Set("secret", Value(true));
    const auto* literal = input.default_value ? input.default_value->as<pcl::Literal>() : nullptr;
    if (literal && !literal->value.is_null()) spec->Set("default", literal->value);
    if (!input.default_value) required.push_back(Value(input.key));
    inputs.Set(input.key, Value(std::move(*spec)));
  }
  for (const NamedExpression& output : component.body.outputs) {
    outputs.Set(output.name, AnyType());
    given.push_back(Value(output.name));
  }
  PropertyMap spec{{"isComponent", Value(true)},
                   {"type", Value(token)},
                   {"inputProperties", Value(std::move(inputs))},
                   {"requiredInputs", Value(std::move(required))},
                   {"properties", Value(std::move(outputs))},
                   {"required", Value(std::move(given))}};
  if (!component.description.empty()) spec.Set("description", Value(component.description));
  return spec;
}

}  // namespace

Result<std::string> ComponentSchema(const ProgramDecl& plugin) {
  PropertyMap resources, language;
  for (const ComponentDecl& component : plugin.components) {
    const std::string token = plugin.name + ":index:" + component.name;
    auto spec = ResourceSpec(component, token);
    if (!spec.ok()) return spec.status();
    resources.Set(token, Value(std::move(*spec)));
  }
  for (const char* name : {"nodejs", "python", "csharp", "java", "go"}) {
    language.Set(name, Value(PropertyMap{{"respectSchemaVersion", Value(true)}}));
  }
  PropertyMap schema{{"name", Value(plugin.name)},
                     {"version", Value(plugin.version.empty() ? "0.0.0" : plugin.version)},
                     {"language", Value(std::move(language))},
                     {"resources", Value(std::move(resources))}};
  if (!plugin.description.empty()) schema.Set("description", Value(plugin.description));
  if (plugin.package_namespace) schema.Set("namespace", Value(plugin.package_namespace->value));
  return pcl::ToJson(Value(std::move(schema)));
}

}  // namespace kingpost::yaml
