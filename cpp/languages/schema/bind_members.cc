// SPDX-License-Identifier: Apache-2.0
// The resources and functions of a schema (languages/schema/binder.h).
#include <algorithm>
#include <map>

#include "base/encoding.h"
#include "base/json_access.h"
#include "languages/schema/binder.h"
#include "languages/schema/json_path.h"

namespace kingpost::schema {

namespace {

using Json = nlohmann::ordered_json;

// Configuration travels as texts: outputs of a provider that are none are not offered.
bool IsText(const Type& type) {
  if (type.kind == Type::Kind::kToken) return type.default_type && type.default_type->kind == Type::Kind::kString;
  if (type.kind == Type::Kind::kEnum) return type.enumeration->element == Type::Kind::kString;
  return type.kind == Type::Kind::kString;
}

bool Has(const Properties& properties, const std::string& name) {
  return std::any_of(properties.begin(), properties.end(), [&](const Property& one) { return one.name == name; });
}

}  // namespace

const Resource* Binder::BindResource(const std::string& token) {
  if (const auto known = resources_.find(token); known != resources_.end()) return known->second;
  if (token == "pulumi:providers:" + package_->name) return BindProvider();
  const Json* spec = Spec("resources", token);
  if (!spec) return nullptr;
  package_->owned_resources.push_back(std::make_unique<Resource>());
  Resource* resource = package_->owned_resources.back().get();
  resource->token = token;
  resources_[token] = resource;
  const std::string path = MemberPath("resources", token);
  CheckName(path, "resource", token);
  Nested([=, this] { BindResourceDetails(path, *spec, resource); });
  return resource;
}

const Resource* Binder::BindProvider() {
  const std::string token = "pulumi:providers:" + package_->name;
  if (const auto known = resources_.find(token); known != resources_.end()) return known->second;
  if (package_->base && package_->base->extension) return nullptr;
  package_->owned_resources.push_back(std::make_unique<Resource>());
  Resource* provider = package_->owned_resources.back().get();
  provider->token = token;
  provider->provider = true;
  resources_[token] = provider;
  const Json* spec = FieldOf(document_, "provider");
  const Json nothing = Json::object();
  BindResourceDetails("#/provider", spec ? *spec : nothing, provider);
  for (const Property& input : provider->inputs) {
    if (input.name == "version" || input.name == "pulumi") {
      Error("#/provider/properties/" + input.name, input.name + " is a reserved provider input property name");
    }
  }
  std::erase_if(provider->outputs, [](const Property& output) { return !IsText(*output.type); });
  return provider;
}

void Binder::BindResourceDetails(const std::string& path, const Json& spec, Resource* resource) {
  for (const char* field : {"plain", "plainInputs"}) {
    if (FieldOf(spec, field)) {
      Error(path + "/" + field,
            std::string(field) + " has been removed; property types must be marked as plain instead");
    }
  }
  resource->package = package_.get();
  resource->comment = TextOf(spec, "description");
  resource->deprecation = TextOf(spec, "deprecationMessage");
  resource->component = BoolOf(spec, "isComponent");
  resource->overlay = BoolOf(spec, "isOverlay");
  resource->outputs =
      BindProperties(path + "/properties", FieldOf(spec, "properties"), path + "/required", FieldOf(spec, "required"));
  CheckOutputs(path, *resource);
  resource->inputs = BindProperties(path + "/inputProperties", FieldOf(spec, "inputProperties"),
                                    path + "/requiredInputs", FieldOf(spec, "requiredInputs"));
  for (const Json& alias : ListOf(spec, "aliases")) {
    resource->aliases.push_back(alias.is_string() ? TextIn(alias) : TextOf(alias, "type"));
  }
  if (const Json* state = FieldOf(spec, "stateInputs")) {
    resource->state_inputs = BindAnonymous(path + "/stateInputs", *state);
    for (const Property& property : resource->state_inputs->properties) {
      if (property.name != "id") continue;
      Error(path + "/stateInputs/properties/id", "id is a reserved property name for stateInputs");
    }
  }
  if (const Json* list = FieldOf(spec, "listInputs")) BindAnonymous(path + "/listInputs", *list);
  BindMethods(path + "/methods", spec, resource);
}

void Binder::CheckOutputs(const std::string& path, const Resource& resource) {
  for (const Property& property : resource.outputs) {
    const std::string at = path + "/properties/" + property.name;
    if (property.name == "urn") Warn(at, "urn is a reserved property name");
    if (property.name == "id" && !resource.component) Warn(at, "id is a reserved property name for resources");
  }
}

void Binder::BindMethods(const std::string& path, const Json& spec, Resource* resource) {
  const Json methods = kingpost::ObjectOf(spec, "methods");
  std::map<std::string, std::string> tokens;
  for (const auto& item : methods.items()) tokens[item.key()] = TextIn(item.value());
  for (const auto& [name, token] : tokens) {
    const std::string at = path + "/" + name;
    BindFunction(token);
    const auto found = functions_.find(token);
    const size_t slash = token.rfind('/');
    if (found == functions_.end()) {
      Error(at, "unknown function " + token);
    } else if (found->second->method) {
      Error(at, "function " + token + " is already a method");
    } else if (slash == std::string::npos || token.substr(0, slash) != resource->token) {
      Error(at, "invalid function token format " + token,
            "expected a token of the shape: \"" + resource->token + "/<method name>\"");
    } else if (!found->second->inputs || !Has(found->second->inputs->properties, "__self__")) {
      Error(at, "function " + token + " has no __self__ parameter");
    } else {
      found->second->method = true;
      resource->methods.push_back({name, found->second});
      if (Has(resource->outputs, name)) Error(at, resource->token + " already has a property named " + name);
    }
  }
}

const Function* Binder::BindFunction(const std::string& token) {
  if (const auto known = functions_.find(token); known != functions_.end()) return known->second;
  const Json* spec = Spec("functions", token);
  if (!spec) return nullptr;
  package_->owned_functions.push_back(std::make_unique<Function>());
  Function* function = package_->owned_functions.back().get();
  functions_[token] = function;
  const std::string path = MemberPath("functions", token);
  CheckName(path, "function", token);
  function->package = package_.get();
  function->token = token;
  function->comment = TextOf(*spec, "description");
  function->deprecation = TextOf(*spec, "deprecationMessage");
  function->overlay = BoolOf(*spec, "isOverlay");
  function->plain = BoolOf(*spec, "plain", true);
  function->positional = !ListOf(*spec, "multiArgumentInputs").empty();
  if (const Json* inputs = FieldOf(*spec, "inputs")) {
    function->inputs = BindAnonymous(path + "/inputs", *inputs);
    if (function->positional) OrderArguments(*spec, const_cast<ObjectType*>(function->inputs));
  } else if (function->positional) {
    Error("", "cannot specify multi-argument inputs without specifying inputs");
  }
  BindAnswer(path + "/outputs", *spec, function);
  return function;
}

void Binder::BindAnswer(const std::string& path, const Json& spec, Function* function) {
  const Json* answer = FieldOf(spec, "outputs");
  if (!answer || answer->is_null()) return;
  function->plain_answer = BoolOf(*answer, "plain");
  if (!FieldOf(*answer, "properties")) {
    function->answer = BindType(path, *answer);
    return;
  }
  const ObjectType* object = BindAnonymous(path, *answer);
  function->inline_answer = true;
  function->answer = NewType({.kind = Type::Kind::kObject, .object = object});
}

// The arguments in the order that the schema gives them.
void Binder::OrderArguments(const Json& spec, ObjectType* inputs) {
  std::map<std::string, size_t> places;
  for (const Json& name : ListOf(spec, "multiArgumentInputs")) places.emplace(TextIn(name), places.size());
  for (const auto& [name, place] : places) {
    if (Has(inputs->properties, name)) continue;
    Error("", "multiArgumentInputs[" + std::to_string(place) + "] refers to non-existent property " + Quote(name));
  }
  bool explained = false;
  for (const Property& property : inputs->properties) {
    if (places.count(property.name) > 0) continue;
    Error("", "Property " + Quote(property.name) + " not specified by multiArgumentInputs",
          explained ? "" : "If multiArgumentInputs is given, all properties must be specified");
    explained = true;
  }
  std::stable_sort(inputs->properties.begin(), inputs->properties.end(),
                   [&](const Property& a, const Property& b) { return places[a.name] < places[b.name]; });
}

}  // namespace kingpost::schema
