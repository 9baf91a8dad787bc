// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/request_parts.h"

#include <algorithm>

#include "languages/pcl/resource_value.h"
#include "model/resource_fields.h"

namespace kingpost::pcl {

namespace {

Status Wrong(const std::string& what) { return Status(Code::kInvalidArgument, what); }

Status WrongKind(const char* wanted, const Value& value) {
  return Wrong(std::string("must be ") + wanted + ", not " + KindName(value));
}

bool IsThere(const Value& value) { return !value.is_null() && !value.is_computed(); }

Status Set(const Value& value, std::optional<bool>* field) {
  if (!value.is_bool()) return WrongKind("a bool", value);
  *field = value.as_bool();
  return Status();
}

Status Set(const Value& value, std::string* field) {
  if (!value.is_string()) return WrongKind("a text", value);
  *field = value.as_string();
  return Status();
}

Status Set(const Value& value, Value* field) {
  *field = value;
  return Status();
}

Status Set(const Value& value, Urn* field) {
  auto resource = ResourceIn(value);
  if (resource.ok()) *field = Urn(resource->urn);
  return resource.status();
}

// Calls set(key, value) for what an object holds, but for what is null or unknown.
template <class SetPart>
Status SetParts(const Value& value, SetPart&& set) {
  if (!value.is_object()) return WrongKind("an object", value);
  for (const auto& [key, wrapped] : value.as_object()) {
    const Value part = Open(wrapped).value;
    if (IsThere(part)) KP_TRY(set(key, part));
  }
  return Status();
}

// The same of a list.
template <class SetElement>
Status SetElements(const Value& value, SetElement&& set) {
  if (!value.is_array()) return WrongKind("a list", value);
  for (const Value& wrapped : value.as_array()) {
    const Value element = Open(wrapped).value;
    if (IsThere(element)) KP_TRY(set(element));
  }
  return Status();
}

Status Set(const Value& value, std::map<std::string, std::string>* field) {
  return SetParts(value, [&](const std::string& key, const Value& part) {
    if (!part.is_string()) return Wrong("'" + key + "' must be a text, not " + KindName(part));
    (*field)[key] = part.as_string();
    return Status();
  });
}

// A URN, or an object that says what was different: name, type, parent, noParent.
Status Set(const Value& value, Alias* alias) {
  if (value.is_string()) {
    alias->urn = Urn(value.as_string());
    return Status();
  }
  if (!value.is_object()) return Wrong(std::string("an alias must be a URN or an object, not ") + KindName(value));
  return SetParts(value, [alias](const std::string& key, const Value& part) {
    if (key == "name") return Set(part, &alias->name).Wrap(key);
    if (key == "type") return Set(part, &alias->type).Wrap(key);
    if (key == "parent") return Set(part, &alias->parent_urn).Wrap(key);
    if (key != "noParent") return Wrong("an alias has name, type, parent and noParent").Wrap(key);
    std::optional<bool> flag;
    Status set = Set(part, &flag).Wrap(key);
    alias->no_parent = flag.value_or(false);
    return set;
  });
}

template <class T>
Status Set(const Value& value, std::vector<T>* field) {
  return SetElements(value, [field](const Value& element) { return Set(element, &field->emplace_back()); });
}

Status SetProviders(const Value& value, std::map<std::string, std::string>* providers) {
  if (value.is_object()) {
    for (const auto& [package, given] : value.as_object()) {
      auto provider = ResourceIn(given);
      if (!provider.ok()) return provider.status();
      (*providers)[package] = provider->reference();
    }
    return Status();
  }
  return SetElements(value, [providers](const Value& element) {
    auto provider = ResourceIn(element);
    if (!provider.ok()) return provider.status();
    const std::string package(ProviderPackage(Urn(provider->urn).type()));
    if (package.empty()) return Wrong("'" + provider->urn + "' is not a provider");
    (*providers)[package] = provider->reference();
    return Status();
  });
}

Status SetTimeouts(const Value& value, RegisterResourceRequest* request) {
  std::map<std::string, std::string> texts;
  KP_TRY(Set(value, &texts));
  const std::pair<const char*, std::string*> timeouts[] = {{"create", &request->timeout_create},
                                                           {"update", &request->timeout_update},
                                                           {"delete", &request->timeout_delete},
                                                           {"read", &request->timeout_read}};
  for (const auto& [key, text] : texts) {
    const auto* timeout = std::ranges::find(timeouts, key, &std::pair<const char*, std::string*>::first);
    if (timeout == std::end(timeouts)) {
      return Wrong("unsupported timeout '" + key + "': there are create, update, delete and read");
    }
    *timeout->second = text;
  }
  return Status();
}

bool IsOption(const std::string& name) {
  return AnyResourceField([&](const auto& field) { return !field.program.empty() && field.program == name; });
}

// Paths are spelled, not computed: ignoreChanges = [tags.owner, "list[*].size"].
Result<Value> SpelledPaths(const NamedExpression& option, const schema::Resource& resource) {
  const TupleLiteral* tuple = option.value->as<TupleLiteral>();
  if (!tuple) return ErrorAt(option.value->at, "option '" + option.name + "' must be a list of properties");
  Array paths;
  for (const ExpressionPtr& element : tuple->elements) {
    const auto path = SpelledPath(*element);
    const std::string* text = LiteralText(element);
    if (!path && !text) return ErrorAt(element->at, "expected the path of a property, as in [name, other.part]");
    const std::string root = path ? path->substr(0, path->find_first_of(".[")) : "";
    if (path && !schema::FindProperty(resource.inputs, root) && !schema::FindProperty(resource.outputs, root)) {
      return ErrorAt(element->at, "'" + root + "' is not a property of " + resource.token);
    }
    paths.push_back(Value(path ? *path : *text));
  }
  return Value(std::move(paths));
}

}  // namespace

void SetInputs(PropertyMap inputs, RegisterResourceRequest* request) {
  for (const auto& [name, value] : inputs) {
    std::vector<Urn> urns;
    CollectOutputDependencies(value, &urns);
    if (urns.empty()) continue;
    request->dependencies.insert(request->dependencies.end(), urns.begin(), urns.end());
    request->property_dependencies[name] = std::move(urns);
  }
  request->inputs = request->remote ? std::move(inputs) : FlattenOutputs(inputs);
}

bool TakesPaths(const std::string& option) {
  return AnyResourceField([&](const auto& field) {
    const bool texts = std::is_same_v<decltype(field.goal), std::vector<std::string> SteadyOptions::*>;
    return texts && field.program == option;
  });
}

Status SetOption(const std::string& option, const Value& value, RegisterResourceRequest* request) {
  if (option == "customTimeouts") return SetTimeouts(value, request);
  if (option == "providers") return SetProviders(value, &request->providers);
  if (option == "provider") {
    auto provider = ResourceIn(value);
    if (provider.ok()) request->provider = provider->reference();
    return provider.status();
  }
  Status set;
  const bool known = AnyResourceField([&](const auto& field) {
    if constexpr (requires { Set(value, &(request->*field.goal)); }) {
      if (field.program != option) return false;
      set = Set(value, &(request->*field.goal));
      return true;
    }
    return false;
  });
  KP_ASSERT(known, "the language has checked that there is such an option");
  return set;
}

void AddSchemaOptions(const schema::Resource& schema, RegisterResourceRequest* request) {
  for (const schema::Property& output : schema.outputs) {
    if (output.secret) request->additional_secret_outputs.push_back(output.name);
  }
  for (std::string& path : schema::ReplaceOnChangesPaths(schema)) {
    request->replace_on_changes.push_back(std::move(path));
  }
}

Status CheckOptions(const Block& options) {
  if (!options.labels.empty()) return ErrorAt(options.at, "the options have no labels");
  if (!options.body.blocks.empty()) {
    const Block& block = options.body.blocks.front();
    return ErrorAt(block.at, "unsupported block of type '" + block.type + "'");
  }
  for (const NamedExpression& option : options.body.attributes) {
    if (option.name == "hooks") {
      return ErrorAt(option.at, "option 'hooks' is not offered: a snippet has no hooks, register them in the program");
    }
    if (option.name != "range" && !IsOption(option.name)) {
      return ErrorAt(option.at, "unsupported attribute '" + option.name + "'");
    }
  }
  return Status();
}

Status EvaluateOptions(const Block& options, const schema::Resource& resource, Evaluator* evaluator, const Scope& scope,
                       RegisterResourceRequest* request) {
  for (const NamedExpression& option : options.body.attributes) {
    if (option.name == "range") continue;
    Value value;
    if (TakesPaths(option.name)) {
      auto paths = SpelledPaths(option, resource);
      if (!paths.ok()) return paths.status();
      value = std::move(*paths);
    } else {
      auto datum = evaluator->Evaluate(*option.value, scope);
      if (!datum.ok()) return datum.status();
      const bool trigger = option.name == "replacementTrigger";
      if (!trigger && !IsThere(datum->value)) continue;
      value = trigger ? Close(*datum) : std::move(datum->value);
    }
    Status set = SetOption(option.name, value, request);
    if (!set.ok()) return ErrorAt(option.value->at, "option '" + option.name + "': " + set.message());
  }
  return Status();
}

}  // namespace kingpost::pcl
