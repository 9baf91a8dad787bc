// SPDX-License-Identifier: Apache-2.0
// The resources and functions of a schema (languages/schema/binder.h).
#include <algorithm>
#include <map>

#include "base/encoding.h"
#include "base/json_access.h"
#include "languages/schema/binder.h"

namespace kingpost::schema {

const Resource* Binder::BindResource(const std::string& token) {
  if (const auto known = resources_.find(token); known != resources_.end()) return known->second.get();
  if (package_->provider && token == package_->provider->token) return package_->provider;
  const Json* spec = Spec("resources", token);
  if (!spec) return nullptr;
  auto& resource = resources_[token] = std::make_unique<Resource>();
  resource->token = token;
  CheckName(MemberPath("resources", token), "resource", token);
  BindResourceParts(MemberPath("resources", token), *spec, resource.get());
  return resource.get();
}

const Resource* Binder::BindProvider() {
  const std::string token = "pulumi:providers:" + package_->name;
  auto& provider = resources_[token] = std::make_unique<Resource>();
  provider->token = token;
  provider->provider = true;
  const Json& spec = Section("provider");
  BindResourceParts("#/provider", spec, provider.get());
  provider->outputs = LazyProperties([this, &spec] {
    Properties outputs = BindProperties("#/provider", spec, "properties", "required");
    // Configuration travels as texts: outputs that are none are not offered.
    std::erase_if(outputs, [](const Property& output) { return output.type->plain_kind() != Type::Kind::kString; });
    return outputs;
  });
  return provider.get();
}

void Binder::BindResourceParts(const std::string& path, const Json& spec, Resource* resource) {
  resource->package = package_;
  resource->comment = TextOf(spec, "description");
  resource->deprecation = TextOf(spec, "deprecationMessage");
  resource->component = BoolOf(spec, "isComponent");
  resource->overlay = BoolOf(spec, "isOverlay");
  const auto lazily = [&](const char* properties, const char* required) {
    return LazyProperties([=, this, &spec] { return BindProperties(path, spec, properties, required); });
  };
  resource->outputs = lazily("properties", "required");
  resource->inputs = lazily("inputProperties", "requiredInputs");
  for (const Json& alias : ListOf(spec, "aliases")) {
    const std::string type = alias.is_string() ? TextIn(alias) : TextOf(alias, "type");
    if (!type.empty()) resource->aliases.push_back(type);
  }
  if (const Json* state = FieldOf(spec, "stateInputs"))
    resource->state_inputs = BindObject(path + "/stateInputs", *state);
  resource->methods = LazyList<Method>([=, this, &spec] { return BindMethods(path, spec, *resource); });
}

// Reports the faults of a resource as a whole; its parts are bound for it.
void Binder::CheckParts(const std::string& path, const Json& spec, const Resource& resource) {
  for (const char* field : {"plain", "plainInputs"}) {
    if (FieldOf(spec, field)) {
      Error(path + "/" + field,
            std::string(field) + " has been removed; property types must be marked as plain instead");
    }
  }
  for (const Property& property : resource.outputs) {
    const std::string at = path + "/properties/" + property.name;
    if (property.name == "urn") Warn(at, "urn is a reserved property name");
    if (property.name == "id" && !resource.component) Warn(at, "id is a reserved property name for resources");
  }
  resource.inputs.get();
  if (resource.state_inputs && FindProperty(resource.state_inputs->properties, "id")) {
    Error(path + "/stateInputs/properties/id", "id is a reserved property name for stateInputs");
  }
  if (const Json* list = FieldOf(spec, "listInputs")) BindObject(path + "/listInputs", *list)->properties.get();
  resource.methods.get();
}

void Binder::CheckProvider() {
  CheckParts("#/provider", Section("provider"), *package_->provider);
  for (const char* name : {"version", "pulumi"}) {
    if (!FindProperty(package_->provider->inputs, name)) continue;
    Error(std::string("#/provider/properties/") + name,
          std::string(name) + " is a reserved provider input property name");
  }
}

std::vector<Method> Binder::BindMethods(const std::string& path, const Json& spec, const Resource& resource) {
  std::vector<Method> bound;
  for (const auto& [name, function] : Part(spec, "methods").items()) {
    const std::string token = TextIn(function), at = path + "/methods/" + name;
    Function* found = BindFunction(token);
    const size_t slash = token.rfind('/');
    if (!found) {
      Error(at, "unknown function " + token);
    } else if (found->method) {
      Error(at, "function " + token + " is already a method");
    } else if (slash == std::string::npos || token.substr(0, slash) != resource.token) {
      Error(at, "invalid function token format " + token,
            "expected a token of the shape: \"" + resource.token + "/<method name>\"");
    } else if (!FindProperty(found->input_properties(), "__self__")) {
      Error(at, "function " + token + " has no __self__ parameter");
    } else {
      found->method = true;
      bound.push_back({name, found});
      if (FindProperty(resource.outputs, name)) Error(at, resource.token + " already has a property named " + name);
    }
  }
  return bound;
}

Function* Binder::BindFunction(const std::string& token) {
  if (const auto known = functions_.find(token); known != functions_.end()) return known->second.get();
  const Json* spec = Spec("functions", token);
  if (!spec) return nullptr;
  auto& function = functions_[token] = std::make_unique<Function>();
  const std::string path = MemberPath("functions", token);
  CheckName(path, "function", token);
  function->package = package_;
  function->token = token;
  function->comment = TextOf(*spec, "description");
  function->deprecation = TextOf(*spec, "deprecationMessage");
  function->overlay = BoolOf(*spec, "isOverlay");
  function->plain = BoolOf(*spec, "plain", true);
  function->positional = !ListOf(*spec, "multiArgumentInputs").empty();
  if (const Json* inputs = FieldOf(*spec, "inputs")) {
    ObjectType* object = BindObject(path + "/inputs", *inputs);
    function->inputs = object;
    if (function->positional) {
      object->properties = LazyProperties([=, this] {
        Properties properties = BindProperties(path + "/inputs", *inputs, "properties", "required");
        OrderArguments(*spec, &properties);
        return properties;
      });
    }
  } else if (function->positional) {
    Error("", "cannot specify multi-argument inputs without specifying inputs");
  }
  BindAnswer(path + "/outputs", *spec, function.get());
  return function.get();
}

void Binder::BindAnswer(const std::string& path, const Json& spec, Function* function) {
  const Json* answer = FieldOf(spec, "outputs");
  if (!answer) answer = FieldOf(spec, "returnType");
  if (!answer || !answer->is_object() || answer->empty()) return;
  function->plain_answer = BoolOf(*answer, "plain");
  if (!FieldOf(*answer, "properties")) {
    function->answer = BindType(path, *answer);
    // Generators write an object without properties for what answers nothing.
    const bool nothing = function->answer->kind == Type::Kind::kMap && !FieldOf(*answer, "additionalProperties");
    function->one_value = !function->answer->object && !nothing;
    return;
  }
  const ObjectType* object = BindObject(path, *answer);
  function->inline_answer = true;
  function->answer = NewType({.kind = Type::Kind::kObject, .object = object});
}

// The arguments in the order that the schema gives them.
void Binder::OrderArguments(const Json& spec, Properties* inputs) {
  std::map<std::string, size_t> places;
  for (const Json& name : ListOf(spec, "multiArgumentInputs")) places.emplace(TextIn(name), places.size());
  for (const auto& [name, place] : places) {
    if (FindProperty(*inputs, name)) continue;
    Error("", "multiArgumentInputs[" + std::to_string(place) + "] refers to non-existent property " + Quote(name));
  }
  bool explained = false;
  for (const Property& property : *inputs) {
    if (places.count(property.name) > 0) continue;
    Error("", "Property " + Quote(property.name) + " not specified by multiArgumentInputs",
          explained ? "" : "If multiArgumentInputs is given, all properties must be specified");
    explained = true;
  }
  std::stable_sort(inputs->begin(), inputs->end(),
                   [&](const Property& a, const Property& b) { return places[a.name] < places[b.name]; });
}

}  // namespace kingpost::schema
