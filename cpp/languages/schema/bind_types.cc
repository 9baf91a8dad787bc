// SPDX-License-Identifier: Apache-2.0
// The types of a schema: what properties hold, and the definitions they refer to (languages/schema/binder.h).
#include <algorithm>
#include <cmath>
#include <map>

#include "base/encoding.h"
#include "base/json_access.h"
#include "languages/schema/binder.h"

namespace kingpost::schema {

namespace {

using Json = nlohmann::json;
using Kind = Type::Kind;

std::optional<Kind> PrimitiveKind(const std::string& name) {
  for (const Kind kind : {Kind::kBool, Kind::kInteger, Kind::kNumber, Kind::kString}) {
    if (name == NameOf(kind)) return kind;
  }
  return std::nullopt;
}

const Type* BuiltinType(const std::string& reference) {
  static const std::map<std::string, Kind> kBuiltin = {{"pulumi.json#/Archive", Kind::kArchive},
                                                       {"pulumi.json#/Asset", Kind::kAsset},
                                                       {"pulumi.json#/Json", Kind::kJson},
                                                       {"pulumi.json#/Any", Kind::kAny}};
  const auto found = kBuiltin.find(reference);
  return found == kBuiltin.end() ? nullptr : &PlainType(found->second);
}

const char* KindOfConstant(const Json& value) {
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  if (value.is_number()) return "float64";
  return value.is_array() ? "[]interface {}" : "map[string]interface {}";
}

std::optional<std::vector<std::string>> TextsOf(const Json& object, const char* name) {
  const Json* list = FieldOf(object, name);
  if (!list || !list->is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& text : *list) texts.push_back(TextIn(text));
  return texts;
}

// The type of a constant, where there is only one.
std::optional<Constant> ConstantOf(const Json& value, Kind kind) {
  if (kind == Kind::kBool && value.is_boolean()) return BoolIn(value);
  if (kind == Kind::kString && value.is_string()) return TextIn(value);
  if (!value.is_number()) return std::nullopt;
  const double number = NumberIn(value);
  if (kind == Kind::kNumber) return number;
  const bool fits = std::trunc(number) == number && number >= INT32_MIN && number <= INT32_MAX;
  if (kind == Kind::kInteger && fits) return static_cast<int64_t>(number);
  return std::nullopt;
}

}  // namespace

const Type* Binder::NewType(Type type) {
  types_.push_back(std::make_unique<Type>(std::move(type)));
  return types_.back().get();
}

const Type* Binder::BindType(const std::string& path, const Json& spec) {
  const bool plain = BoolOf(spec, "plain");
  const std::string name = TextOf(spec, "type");
  if (FieldOf(spec, "$ref")) {
    const Type* type = BindReference(path + "/$ref", spec);
    if (type->plain == plain) return type;
    Type copy = *type;
    copy.plain = plain;
    return NewType(copy);
  }
  if (FieldOf(spec, "oneOf")) return BindUnion(path, spec);
  if (const auto kind = PrimitiveKind(name)) return NewType({.kind = *kind, .plain = plain});
  if (name == "array") {
    const Json* items = FieldOf(spec, "items");
    if (items) return NewType({.kind = Kind::kArray, .plain = plain, .element = BindType(path + "/items", *items)});
    Error(path, "missing \"items\" property in array type spec");
    return &AnyType();
  }
  if (name == "object") {
    const Json* values = FieldOf(spec, "additionalProperties");
    const Type* element = values ? BindType(path + "/additionalProperties", *values) : &PlainType(Kind::kString);
    return NewType({.kind = Kind::kMap, .plain = plain, .element = element});
  }
  Error(path + "/type", "unknown type kind " + name);
  return &AnyType();
}

const Type* Binder::BindUnion(const std::string& path, const Json& spec) {
  Type type{.kind = Kind::kUnion, .plain = BoolOf(spec, "plain")};
  const Json* list = FieldOf(spec, "oneOf");
  const Json none = Json::array();
  const Json& alternatives = list && list->is_array() ? *list : none;
  if (alternatives.size() < 2) Error(path + "/oneOf", "oneOf should list at least two types");
  if (const std::string name = TextOf(spec, "type"); !name.empty()) {
    const auto kind = PrimitiveKind(name);
    if (!kind) Error(path + "/type", "unknown primitive type " + name);
    type.default_type = &PlainType(kind.value_or(Kind::kAny));
  }
  for (size_t i = 0; i < alternatives.size(); ++i) {
    type.elements.push_back(BindType(path + "/oneOf/" + std::to_string(i), alternatives[i]));
  }
  const Json* discriminator = FieldOf(spec, "discriminator");
  if (discriminator && TextOf(*discriminator, "propertyName").empty()) {
    Error(path, "discriminator must provide a property name");
  }
  return NewType(std::move(type));
}

const Type* Binder::BindReference(const std::string& path, const Json& spec) {
  const std::string text = TextOf(spec, "$ref");
  if (const Type* builtin = BuiltinType(text)) return builtin;
  const auto reference = ParseReference(text);
  if (!reference.ok()) {
    Error(path, reference.status().message());
    return &AnyType();
  }
  const bool same_version =
      reference->version.empty() || package_->version.empty() || reference->version == package_->version;
  const bool own = reference->package.empty() || (reference->package == package_->name && same_version);
  const auto foreign = own ? nullptr : ForeignPackage(path, *reference);
  if (!own && !foreign) return &AnyType();
  const std::string& package = own ? package_->name : reference->package;
  if (reference->section == Reference::Section::kTypes) {
    const Type* found = (own ? this : foreign->binder.get())->BindDefinition(reference->token);
    if (found) return found;
    if (!own || !options_.dangling_references) {
      Error(path, "type " + reference->token + " not found in package " + package);
    }
    if (!own) return &AnyType();
    const auto kind = PrimitiveKind(TextOf(spec, "type"));
    const Type* at_heart = kind ? &PlainType(*kind) : nullptr;
    return NewType({.kind = Kind::kToken, .default_type = at_heart, .token = reference->token});
  }
  const bool provider = reference->section == Reference::Section::kProvider;
  const std::string token = provider ? "pulumi:providers:" + package : reference->token;
  if (own && !provider && IsProviderType(token)) {
    Warn(path, "reference to provider resource '/resources/" + token + "' is deprecated, use '#/provider' instead");
  }
  const Resource* resource = own ? BindResource(token) : foreign->FindResource(token);
  if (resource) return NewType({.kind = Kind::kResource, .resource = resource, .token = token});
  Error(path, "resource type " + token + " not found in package " + package);
  return &AnyType();
}

PackagePtr Binder::ForeignPackage(const std::string& path, const Reference& reference) {
  const auto [known, is_new] = foreign_.try_emplace({reference.package, reference.version});
  if (!is_new) return known->second;
  const auto package = options_.lookup ? options_.lookup(reference.package, reference.version)
                                       : Status(Code::kInvalidArgument, "other packages cannot be looked up here");
  if (package.ok()) {
    package_->referenced.push_back(*package);
    known->second = *package;
  } else {
    Error(path, "resolving package " + reference.package + ": " + package.status().message());
  }
  return known->second;
}

// Null if nobody defines it.
const Type* Binder::BindDefinition(const std::string& token) {
  if (const auto known = definitions_.find(token); known != definitions_.end()) return known->second;
  const Json* spec = Spec("types", token);
  if (!spec) return nullptr;
  CheckName(MemberPath("types", token), "type", token);
  if (TextOf(*spec, "type") == "object") {
    ObjectType* object = BindObject(MemberPath("types", token), *spec);
    object->token = token;
    return definitions_[token] = NewType({.kind = Kind::kObject, .object = object, .token = token});
  }
  return definitions_[token] = NewType({.kind = Kind::kEnum, .enumeration = BindEnum(token, *spec), .token = token});
}

ObjectType* Binder::BindObject(const std::string& path, const Json& spec) {
  ObjectType* object = objects_.emplace_back(std::make_unique<ObjectType>()).get();
  object->package = package_;
  object->comment = TextOf(spec, "description");
  object->overlay = BoolOf(spec, "isOverlay");
  const Json& node = Part(Part(spec, "language"), "nodejs");
  object->node_required_inputs = TextsOf(node, "requiredInputs");
  object->node_required_outputs = TextsOf(node, "requiredOutputs");
  object->properties = LazyProperties([=, this, &spec] {
    if (const Json* plain = FieldOf(spec, "plain"); plain && plain->is_array()) {
      Error(path + "/plain", "plain has been removed; the property type must be marked as plain instead");
    }
    return BindProperties(path, spec, "properties", "required");
  });
  return object;
}

const EnumType* Binder::BindEnum(const std::string& token, const Json& spec) {
  EnumType* enumeration = enums_.emplace_back(std::make_unique<EnumType>()).get();
  const std::string path = MemberPath("types", token);
  const std::string name = TextOf(spec, "type");
  const auto kind = PrimitiveKind(name);
  if (!kind) Error(path + "/type", "unknown primitive type " + name);
  enumeration->package = package_;
  enumeration->token = token;
  enumeration->comment = TextOf(spec, "description");
  enumeration->element = kind.value_or(Kind::kAny);
  enumeration->overlay = BoolOf(spec, "isOverlay");
  size_t index = 0;
  for (const Json& value : ListOf(spec, "enum")) {
    const std::string at = path + "/enum/" + std::to_string(index++) + "/value";
    const Json* given = FieldOf(value, "value");
    const auto constant = BindConstant(at, "enum", given ? *given : Json(), PlainType(enumeration->element));
    if (!constant) continue;
    enumeration->values.push_back(
        {TextOf(value, "name"), TextOf(value, "description"), TextOf(value, "deprecationMessage"), *constant});
  }
  return enumeration;
}

Properties Binder::BindProperties(const std::string& path, const Json& spec, const char* properties,
                                  const char* required) {
  Properties bound;
  const std::string inside = path + "/" + properties;
  CheckPropertyNames(inside, Part(spec, properties));
  for (const auto& [name, property] : Part(spec, properties).items()) {
    bound.push_back(BindProperty(inside + "/" + name, name, property));
  }
  size_t index = 0;
  for (const Json& text : ListOf(spec, required)) {
    const std::string name = TextIn(text), at = path + "/" + required + "/" + std::to_string(index++);
    const auto found = std::ranges::find(bound, name, &Property::name);
    if (found == bound.end()) {
      Error(at, "unknown required property " + Quote(name));
    } else {
      found->required = true;
    }
  }
  return bound;
}

Property Binder::BindProperty(const std::string& path, const std::string& name, const Json& spec) {
  Property property;
  property.name = name;
  property.comment = TextOf(spec, "description");
  property.deprecation = TextOf(spec, "deprecationMessage");
  property.secret = BoolOf(spec, "secret");
  property.replace_on_changes = BoolOf(spec, "replaceOnChanges");
  property.type = BindType(path, spec);
  if (const Json* value = FieldOf(spec, "const")) {
    property.constant = BindConstant(path + "/const", "constant", *value, *property.type);
  }
  const Json* value = FieldOf(spec, "default");
  const Json* info = FieldOf(spec, "defaultInfo");
  if (!value && !info) return property;
  property.default_value.emplace();
  if (value) property.default_value->value = BindDefault(path + "/default", *value, *property.type);
  if (info) property.default_value->environment = TextsOf(*info, "environment").value_or(std::vector<std::string>());
  if (info && property.default_value->environment.empty()) {
    Error(path + "/default", "Default must specify an environment");
  }
  return property;
}

std::optional<Constant> Binder::BindConstant(const std::string& path, const char* kind, const Json& value,
                                             const Type& type) {
  if (type.kind > Kind::kString) {
    if (type.kind != Kind::kAny || !HasErrors(diagnostics_)) {
      Error(path,
            "type cannot have a constant value; only booleans, integers, numbers and strings may have constant values");
    }
    return std::nullopt;
  }
  auto constant = ConstantOf(value, type.kind);
  if (!constant) {
    Error(path,
          std::string("invalid constant of type ") + KindOfConstant(value) + " for " + NameOf(type.kind) + " " + kind);
  }
  return constant;
}

// For a union: the default type's, or that of the first alternative that takes it.
std::optional<Constant> Binder::BindDefault(const std::string& path, const Json& value, const Type& type) {
  if (type.kind == Kind::kEnum) return BindConstant(path, "default", value, PlainType(type.enumeration->element));
  if (type.kind != Kind::kUnion) return BindConstant(path, "default", value, type);
  if (type.default_type) return BindDefault(path, value, *type.default_type);
  for (const Type* alternative : type.elements) {
    const bool is_enum = alternative->kind == Kind::kEnum;
    auto constant = ConstantOf(value, is_enum ? alternative->enumeration->element : alternative->kind);
    if (constant) return constant;
  }
  return BindConstant(path, "default", value, type);
}

}  // namespace kingpost::schema
