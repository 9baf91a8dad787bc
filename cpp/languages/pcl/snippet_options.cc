// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/snippet_options.h"

#include <algorithm>

#include "model/resource_fields.h"

namespace kingpost::pcl {

namespace {

Status Wrong(const std::string& what) { return Status(Code::kInvalidArgument, what); }

Status Set(const Value& value, std::optional<bool>* field) {
  if (!value.is_bool()) return Wrong(std::string("must be a bool, not ") + KindName(value));
  *field = value.as_bool();
  return Status();
}

Status Set(const Value& value, std::string* field) {
  if (!value.is_string()) return Wrong(std::string("must be a text, not ") + KindName(value));
  *field = value.as_string();
  return Status();
}

struct Resource {
  std::string urn, id;  // the ID as a provider reference has it

  std::string reference() const { return urn + "::" + id; }
};

Result<Resource> ReferencedResource(const Value& wrapped) {
  const Value value = Open(wrapped).value;
  Resource resource;
  Value id;
  if (value.is_reference()) {
    resource.urn = value.as_reference().urn.str();
    id = value.as_reference().id ? *value.as_reference().id : Value("");
  } else if (value.is_object() && value.as_object().Has("urn") && value.as_object().Has("id")) {
    const Value urn = Open(*value.as_object().Find("urn")).value;
    if (!urn.is_string()) return Wrong("expected a resource whose URN is known");
    resource.urn = urn.as_string();
    id = Open(*value.as_object().Find("id")).value;
  } else {
    return Wrong(std::string("expected a resource, and got ") + KindName(value));
  }
  resource.id = id.is_string() ? id.as_string() : std::string(kUnknownString);
  return resource;
}

Status Set(const Value& value, Urn* field) {
  auto resource = ReferencedResource(value);
  if (resource.ok()) *field = Urn(resource->urn);
  return resource.status();
}

// The elements that are there: neither null nor unknown.
Result<std::vector<Value>> ElementsOf(const Value& value) {
  if (!value.is_array()) return Wrong(std::string("must be a list, not ") + KindName(value));
  std::vector<Value> elements;
  for (const Value& element : value.as_array()) {
    const Value opened = Open(element).value;
    if (!opened.is_null() && !opened.is_computed()) elements.push_back(opened);
  }
  return elements;
}

Status Set(const Value& value, std::vector<Urn>* field) {
  auto elements = ElementsOf(value);
  if (!elements.ok()) return elements.status();
  for (const Value& element : *elements) {
    auto resource = ReferencedResource(element);
    if (!resource.ok()) return resource.status();
    field->emplace_back(resource->urn);
  }
  return Status();
}

Status SetProviders(const Value& value, RegisterResourceRequest* request) {
  if (value.is_object()) {
    for (const auto& [package, given] : value.as_object()) {
      auto provider = ReferencedResource(given);
      if (!provider.ok()) return provider.status();
      request->providers[package] = provider->reference();
    }
    return Status();
  }
  auto elements = ElementsOf(value);
  if (!elements.ok()) return elements.status();
  for (const Value& element : *elements) {
    auto provider = ReferencedResource(element);
    if (!provider.ok()) return provider.status();
    const std::string package(ProviderPackage(Urn(provider->urn).type()));
    if (package.empty()) return Wrong("'" + provider->urn + "' is not a provider");
    request->providers[package] = provider->reference();
  }
  return Status();
}

Status Set(const Value& value, std::map<std::string, std::string>* field) {
  if (!value.is_object()) return Wrong(std::string("must be an object, not ") + KindName(value));
  for (const auto& [key, wrapped] : value.as_object()) {
    const Value part = Open(wrapped).value;
    if (part.is_null() || part.is_computed()) continue;
    if (!part.is_string()) return Wrong("'" + key + "' must be a text, not " + KindName(part));
    (*field)[key] = part.as_string();
  }
  return Status();
}

Status SetTimeouts(const Value& value, RegisterResourceRequest* request) {
  std::map<std::string, std::string> texts;
  Status set = Set(value, &texts);
  if (!set.ok()) return set;
  for (const auto& [key, text] : texts) {
    if (key == "create") {
      request->timeout_create = text;
    } else if (key == "update") {
      request->timeout_update = text;
    } else if (key == "delete") {
      request->timeout_delete = text;
    } else if (key == "read") {
      request->timeout_read = text;
    } else {
      return Wrong("unsupported timeout '" + key + "': there are create, update, delete and read");
    }
  }
  return Status();
}

// A URN, or an object that says what was different: name, type, parent, noParent.
Result<Alias> AliasOf(const Value& value) {
  Alias alias;
  if (value.is_string()) {
    alias.urn = Urn(value.as_string());
    return alias;
  }
  if (!value.is_object()) return Wrong(std::string("an alias must be a URN or an object, not ") + KindName(value));
  for (const auto& [key, wrapped] : value.as_object()) {
    const Value part = Open(wrapped).value;
    if (part.is_null() || part.is_computed()) continue;
    Status set;
    if (key == "name" || key == "type") {
      set = Set(part, key == "name" ? &alias.name : &alias.type);
    } else if (key == "parent") {
      set = Set(part, &alias.parent_urn);
    } else if (key == "noParent") {
      std::optional<bool> flag;
      set = Set(part, &flag);
      alias.no_parent = flag.value_or(false);
    } else {
      set = Wrong("an alias has name, type, parent and noParent");
    }
    if (!set.ok()) return set.Wrap(key);
  }
  return alias;
}

Status SetAliases(const Value& value, RegisterResourceRequest* request) {
  auto elements = ElementsOf(value);
  if (!elements.ok()) return elements.status();
  for (const Value& element : *elements) {
    auto alias = AliasOf(element);
    if (!alias.ok()) return alias.status();
    request->aliases.push_back(std::move(*alias));
  }
  return Status();
}

// Paths are spelled, not computed: ignoreChanges = [tags.owner, "list[*].size"].
Status AddPaths(const NamedExpression& option, const schema::Resource& resource, std::vector<std::string>* field) {
  const TupleLiteral* tuple = option.value->as<TupleLiteral>();
  if (!tuple) return ErrorAt(option.value->at, "option '" + option.name + "' must be a list of properties");
  for (const ExpressionPtr& element : tuple->elements) {
    const Literal* text = element->as<Literal>();
    const auto path = SpelledPath(*element);
    if (!path && !(text && text->value.is_string())) {
      return ErrorAt(element->at, "expected the path of a property, as in [name, other.part]");
    }
    if (!path) {
      field->push_back(text->value.as_string());
      continue;
    }
    const std::string root = path->substr(0, path->find_first_of(".["));
    if (!schema::FindProperty(resource.inputs, root) && !schema::FindProperty(resource.outputs, root)) {
      return ErrorAt(element->at, "'" + root + "' is not a property of " + resource.token);
    }
    field->push_back(*path);
  }
  return Status();
}

// Options that are lists of texts are lists of paths.
std::vector<std::string>* PathsField(const std::string& option, RegisterResourceRequest* request) {
  std::vector<std::string>* paths = nullptr;
  AnyResourceField([&](const auto& field) {
    if constexpr (requires { paths = &(request->*field.goal); }) {
      if (field.program == option) paths = &(request->*field.goal);
    }
    return paths != nullptr;
  });
  return paths;
}

Status SetProvider(const Value& value, RegisterResourceRequest* request) {
  auto provider = ReferencedResource(value);
  if (provider.ok()) request->provider = provider->reference();
  return provider.status();
}

struct Setter {
  const char* option;
  Status (*set)(const Value& value, RegisterResourceRequest* request);
};

// Those whose kind does not say what their values are.
const Setter kSetters[] = {
    {"aliases", SetAliases},
    {"provider", SetProvider},
    {"providers", SetProviders},
    {"customTimeouts", SetTimeouts},
};

// Sets an option to a value that is known, not null and without marks; false if there is no such option. Without a
// value it only says whether there is.
bool SetOption(const std::string& option, const Value* value, RegisterResourceRequest* request, Status* set) {
  for (const Setter& setter : kSetters) {
    if (option != setter.option) continue;
    if (value) *set = setter.set(*value, request);
    return true;
  }
  return AnyResourceField([&](const auto& field) {
    if constexpr (requires { Set(*value, &(request->*field.goal)); }) {
      if (field.program != option) return false;
      if (value) *set = Set(*value, &(request->*field.goal));
      return true;
    }
    return false;
  });
}

bool IsSettable(const std::string& option) { return SetOption(option, nullptr, nullptr, nullptr); }

}  // namespace

bool TakesPaths(const std::string& option) {
  RegisterResourceRequest request;
  return PathsField(option, &request) != nullptr;
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
    const bool known = option.name == "range" || option.name == "replacementTrigger" || IsSettable(option.name) ||
                       TakesPaths(option.name);
    if (!known) return ErrorAt(option.at, "unsupported attribute '" + option.name + "'");
  }
  return Status();
}

Status EvaluateOptions(const Block& options, const schema::Resource& resource, Evaluator* evaluator, const Scope& scope,
                       RegisterResourceRequest* request) {
  for (const NamedExpression& option : options.body.attributes) {
    if (option.name == "range") continue;
    if (auto* paths = PathsField(option.name, request)) {
      Status added = AddPaths(option, resource, paths);
      if (!added.ok()) return added;
      continue;
    }
    auto datum = evaluator->Evaluate(*option.value, scope);
    if (!datum.ok()) return datum.status();
    if (option.name == "replacementTrigger") {
      request->replacement_trigger = Close(*datum);
      continue;
    }
    if (datum->value.is_null() || !datum->known()) continue;
    Status set;
    const bool known = SetOption(option.name, &datum->value, request, &set);
    KP_ASSERT(known, "CheckOptions knows no other option");
    if (!set.ok()) return ErrorAt(option.value->at, "option '" + option.name + "': " + set.message());
  }
  return Status();
}

}  // namespace kingpost::pcl
