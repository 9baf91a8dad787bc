// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/package_schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"
#include "base/pattern.h"

namespace kingpost::pcl {

namespace {

using nlohmann::json;

constexpr char kBuiltin[] = R"({
  "name": "pulumi",
  "resources": {
    "pulumi:pulumi:StackReference": {
      "inputProperties": {"name": {"type": "string"}},
      "requiredInputs": ["name"],
      "properties": {
        "name": {"type": "string"},
        "outputs": {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}},
        "secretOutputNames": {"type": "array", "items": {"type": "string"}}
      }
    },
    "pulumi:index:Stash": {
      "inputProperties": {"input": {"$ref": "pulumi.json#/Any"}},
      "requiredInputs": ["input"],
      "properties": {"input": {"$ref": "pulumi.json#/Any"}, "output": {"$ref": "pulumi.json#/Any"}}
    }
  }
})";

const json* Find(const json& object, const std::string& key) {
  if (!object.is_object()) return nullptr;
  auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string TextAt(const json& object, const char* key) {
  const json* found = Find(object, key);
  return found && found->is_string() ? TextIn(*found) : "";
}

bool FlagAt(const json& object, const char* key) {
  const json* found = Find(object, key);
  return found && found->is_boolean() && BoolIn(*found);
}

std::string Lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

std::string PercentDecode(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' ? HexDecode(text.substr(i + 1, 2)) : std::nullopt;
    if (byte && byte->size() == 1) {
      result += *byte;
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::optional<Value> ScalarOf(const json* value) {
  if (!value) return std::nullopt;
  if (value->is_boolean()) return Value(BoolIn(*value));
  if (value->is_number()) return Value(NumberIn(*value));
  if (value->is_string()) return Value(TextIn(*value));
  return std::nullopt;
}

}  // namespace

std::optional<TokenParts> SplitToken(const std::string& token) {
  const size_t first = token.find(':'), last = token.rfind(':');
  if (first == std::string::npos) return std::nullopt;
  TokenParts parts;
  parts.package = token.substr(0, first);
  parts.name = token.substr(last + 1);
  if (first != last) parts.module = token.substr(first + 1, last - first - 1);
  if (parts.module.empty()) parts.module = "index";
  if (parts.package.empty() || parts.name.empty() || parts.module.find(':') != std::string::npos) return std::nullopt;
  return parts;
}

std::string PackageOfToken(const TokenParts& parts) {
  return parts.package == "pulumi" && parts.module == "providers" ? parts.name : parts.package;
}

const json* TypeSchema::Resolved() const {
  if (!spec_) return nullptr;
  const std::string ref = TextAt(*spec_, "$ref");
  constexpr std::string_view kTypes = "#/types/";
  if (ref.empty()) return spec_;
  if (ref.rfind(kTypes, 0) != 0) return nullptr;
  const json* named = package_->FindType(PercentDecode(ref.substr(kTypes.size())));
  // Only objects and enumerations have names; so a walk over lists, maps and unions always ends. An object that is also
  // a union might be one of itself.
  const bool object =
      named && TextAt(*named, "type") == "object" && Find(*named, "properties") && !Find(*named, "oneOf");
  const bool enumeration = named && Find(*named, "enum");
  return object || enumeration ? named : nullptr;
}

TypeSchema::Kind TypeSchema::kind() const {
  const json* spec = Resolved();
  if (!spec) return Kind::kAny;
  if (Find(*spec, "oneOf") && !Find(*spec, "enum")) return Kind::kUnion;
  const std::string type = TextAt(*spec, "type");
  if (type == "boolean") return Kind::kBool;
  if (type == "number" || type == "integer") return Kind::kNumber;
  if (type == "string") return Kind::kText;
  if (type == "array" && !Find(*spec, "enum")) return Kind::kList;
  if (type != "object" || Find(*spec, "enum")) return Kind::kAny;
  return Find(*spec, "properties") ? Kind::kObject : Kind::kMap;
}

TypeSchema TypeSchema::element() const {
  const json* spec = Resolved();
  const json* element = spec ? Find(*spec, kind() == Kind::kList ? "items" : "additionalProperties") : nullptr;
  return element ? TypeSchema(package_, element) : TypeSchema();
}

std::vector<PropertySchema> TypeSchema::properties() const {
  const json* spec = Resolved();
  return spec ? package_->ReadProperties(*spec, "properties", "required") : std::vector<PropertySchema>();
}

std::vector<TypeSchema> TypeSchema::alternatives() const {
  std::vector<TypeSchema> result;
  const json* spec = Resolved();
  const json* choices = spec ? Find(*spec, "oneOf") : nullptr;
  if (!choices || !choices->is_array()) return result;
  for (const json& choice : *choices) result.emplace_back(package_, &choice);
  return result;
}

bool TypeSchema::integer() const {
  const json* spec = Resolved();
  return spec && TextAt(*spec, "type") == "integer";
}

std::string TypeSchema::reference() const { return spec_ ? TextAt(*spec_, "$ref") : ""; }

std::vector<Value> TypeSchema::choices() const {
  std::vector<Value> values;
  const json* spec = Resolved();
  const json* choices = spec ? Find(*spec, "enum") : nullptr;
  if (!choices || !choices->is_array()) return values;
  for (const json& choice : *choices) {
    const auto value = ScalarOf(Find(choice, "value"));
    if (value) values.push_back(*value);
  }
  return values;
}

std::string TypeSchema::text() const {
  switch (kind()) {
    case Kind::kAny:
      return "any";
    case Kind::kBool:
      return "boolean";
    case Kind::kNumber:
      return TextAt(*Resolved(), "type");
    case Kind::kText:
      return "string";
    case Kind::kList:
      return "list of " + element().text();
    case Kind::kMap:
      return "map of " + element().text();
    case Kind::kObject:
      return "object";
    case Kind::kUnion:
      break;
  }
  std::string result;
  for (const TypeSchema& choice : alternatives()) result += (result.empty() ? "" : " or ") + choice.text();
  return result;
}

PackageSchema::PackageSchema(std::unique_ptr<const json> document) : document_(std::move(document)) {
  const json* meta = Find(*document_, "meta");
  const std::string format = meta ? TextAt(*meta, "moduleFormat") : "";
  if (format.empty()) return;
  // A pattern that is none leaves modules as they stand.
  if (auto pattern = Pattern::Compile(format); pattern.ok()) module_pattern_ = std::move(*pattern);
}
PackageSchema::~PackageSchema() = default;

Result<std::shared_ptr<const PackageSchema>> PackageSchema::Parse(const std::string& package, const std::string& text) {
  auto document = std::make_unique<const json>(ParseJson(text));
  if (!document->is_object()) {
    return Status(Code::kInvalidArgument, "the schema of package '" + package + "' is not a JSON object");
  }
  return std::shared_ptr<const PackageSchema>(new PackageSchema(std::move(document)));
}

std::shared_ptr<const PackageSchema> PackageSchema::Builtin() {
  auto parsed = Parse("pulumi", kBuiltin);
  KP_ASSERT(parsed.ok(), "the schema of the package pulumi is JSON");
  return *parsed;
}

bool PackageSchema::is_extension() const { return Find(*document_, "extensionParameterization") != nullptr; }

const json* PackageSchema::FindType(const std::string& token) const {
  const json* types = Find(*document_, "types");
  return types ? Find(*types, token) : nullptr;
}

std::string PackageSchema::version() const { return TextAt(*document_, "version"); }

std::string PackageSchema::ModuleOf(const TokenParts& parts) const {
  std::string module = parts.module;
  if (module_pattern_) {
    const auto groups = module_pattern_->Find(parts.module);
    module = groups && groups->size() > 1 ? groups->at(1) : "";
  }
  return module == "index" ? "" : module;
}

// As it stands, else in another case; then with the index, and with the name as the last part of the module, where
// classic packages repeat it; then with the module that the package's pattern finds in it.
const json* PackageSchema::FindToken(const char* section, const std::string& token, std::string* found) const {
  const json* entries = Find(*document_, section);
  if (!entries || !entries->is_object()) return nullptr;
  *found = token;
  if (const json* exact = Find(*entries, token)) return exact;
  const auto wanted = SplitToken(token);
  if (!wanted) return nullptr;
  const std::string indexed = wanted->package + ":" + wanted->module + ":" + wanted->name;
  const std::string repeated = wanted->package + ":" + wanted->module + "/" + wanted->name + ":" + wanted->name;
  for (const std::string& spelling : {Lowered(token), Lowered(indexed), Lowered(repeated)}) {
    for (const auto& [candidate, spec] : entries->items()) {
      if (candidate.size() != spelling.size() || Lowered(candidate) != spelling) continue;
      *found = candidate;
      return &spec;
    }
  }
  const std::string module = ModuleOf(*wanted);
  for (const auto& [candidate, spec] : entries->items()) {
    const auto parts = SplitToken(candidate);
    if (!parts || parts->name != wanted->name || ModuleOf(*parts) != module) continue;
    *found = candidate;
    return &spec;
  }
  return nullptr;
}

std::vector<PropertySchema> PackageSchema::ReadProperties(const json& owner, const char* properties,
                                                          const char* required) const {
  std::vector<PropertySchema> result;
  const json* entries = Find(owner, properties);
  const json* names = Find(owner, required);
  if (!entries || !entries->is_object()) return result;
  for (const auto& [name, spec] : entries->items()) {
    PropertySchema property;
    property.name = name;
    property.type = TypeSchema(this, &spec);
    property.secret = FlagAt(spec, "secret");
    property.replace_on_changes = FlagAt(spec, "replaceOnChanges");
    property.constant_value = ScalarOf(Find(spec, "const"));
    property.constant = property.constant_value.has_value();
    property.default_value = ScalarOf(Find(spec, "default"));
    property.required = names && names->is_array() && std::find(names->begin(), names->end(), name) != names->end();
    result.push_back(std::move(property));
  }
  return result;
}

std::optional<ResourceSchema> PackageSchema::FindResource(const std::string& token) const {
  ResourceSchema schema;
  const json* spec = nullptr;
  if (IsProviderType(token)) {
    static const json kNoInputs = json::object();
    schema.token = token;
    spec = Find(*document_, "provider");
    if (!spec) spec = &kNoInputs;
  } else {
    spec = FindToken("resources", token, &schema.token);
  }
  if (!spec) return std::nullopt;
  schema.component = FlagAt(*spec, "isComponent");
  schema.inputs = ReadProperties(*spec, "inputProperties", "requiredInputs");
  schema.outputs = ReadProperties(*spec, "properties", "required");
  if (IsProviderType(token)) {  // its settings travel as texts, and only those that are texts can be asked of it
    std::erase_if(schema.outputs, [](const PropertySchema& p) { return p.type.kind() != TypeSchema::Kind::kText; });
  }
  const json* aliases = Find(*spec, "aliases");
  if (aliases && aliases->is_array()) {
    for (const json& alias : *aliases) {
      std::string type = TextAt(alias, "type");
      if (!type.empty()) schema.alias_types.push_back(std::move(type));
    }
  }
  if (const json* methods = Find(*spec, "methods"); methods && methods->is_object()) {
    for (const auto& [name, function] : methods->items()) {
      if (function.is_string()) schema.methods[name] = TextIn(function);
    }
  }
  return schema;
}

std::optional<FunctionSchema> PackageSchema::FindFunction(const std::string& token) const {
  FunctionSchema schema;
  const json* spec = FindToken("functions", token, &schema.token);
  if (!spec) return std::nullopt;
  if (const json* inputs = Find(*spec, "inputs")) schema.inputs = ReadProperties(*inputs, "properties", "required");
  const json* positional = Find(*spec, "multiArgumentInputs");
  schema.positional = positional && positional->is_array() && !positional->empty();
  const json* answer = Find(*spec, "outputs");
  if (!answer) answer = Find(*spec, "returnType");
  if (!answer || answer->empty()) return schema;
  const TypeSchema type(this, answer);
  // {"properties": ...} is an object; {"type": "number"}, lists and maps too, are the only value of the answer.
  schema.scalar = !Find(*answer, "properties") && type.kind() != TypeSchema::Kind::kObject;
  if (schema.scalar) {
    schema.returns = type;
  } else {
    schema.outputs =
        Find(*answer, "properties") ? ReadProperties(*answer, "properties", "required") : type.properties();
  }
  return schema;
}

namespace {

void CollectPaths(const std::vector<PropertySchema>& properties, const std::string& prefix,
                  std::vector<const json*>* above, std::vector<std::string>* paths) {
  for (const PropertySchema& property : properties) {
    std::string path = prefix + property.name;
    TypeSchema type = property.type;
    if (type.kind() == TypeSchema::Kind::kList) path += "[*]";
    if (type.kind() == TypeSchema::Kind::kMap) path += ".*";
    if (property.replace_on_changes) {
      paths->push_back(path);
      continue;
    }
    while (type.kind() == TypeSchema::Kind::kList || type.kind() == TypeSchema::Kind::kMap) type = type.element();
    const json* identity = type.identity();
    const bool inside = std::find(above->begin(), above->end(), identity) != above->end();
    if (type.kind() != TypeSchema::Kind::kObject || inside) continue;
    above->push_back(identity);
    CollectPaths(type.properties(), path + ".", above, paths);
    above->pop_back();
  }
}

}  // namespace

std::vector<std::string> ReplaceOnChangesPaths(const std::vector<PropertySchema>& properties) {
  std::vector<std::string> paths;
  std::vector<const json*> above;
  CollectPaths(properties, "", &above, &paths);
  return paths;
}

}  // namespace kingpost::pcl
