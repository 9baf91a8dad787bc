// SPDX-License-Identifier: Apache-2.0
// The types of a schema: what properties hold, and the definitions they refer to (languages/schema/binder.h).
#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "base/json_access.h"
#include "languages/schema/binder.h"
#include "languages/schema/json_path.h"

namespace kingpost::schema {

namespace {

using Json = nlohmann::json;
using Kind = Type::Kind;

std::optional<Kind> PrimitiveKind(const std::string& name) {
  if (name == "boolean") return Kind::kBool;
  if (name == "integer") return Kind::kInteger;
  if (name == "number") return Kind::kNumber;
  if (name == "string") return Kind::kString;
  return std::nullopt;
}

std::optional<Kind> BuiltinKind(const std::string& reference) {
  if (reference == "pulumi.json#/Archive") return Kind::kArchive;
  if (reference == "pulumi.json#/Asset") return Kind::kAsset;
  if (reference == "pulumi.json#/Json") return Kind::kJson;
  if (reference == "pulumi.json#/Any") return Kind::kAny;
  return std::nullopt;
}

const char* NameOf(Kind kind) {
  if (kind == Kind::kBool) return "boolean";
  if (kind == Kind::kInteger) return "integer";
  return kind == Kind::kNumber ? "number" : "string";
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

const Json& ValueOfEnum(const Json& spec) {
  static const Json nothing;
  const Json* value = FieldOf(spec, "value");
  return value ? *value : nothing;
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
    if (!items) {
      Error(path, "missing \"items\" property in array type spec");
      return Invalid();
    }
    const Type* element = BindType(path + "/items", *items);
    return NewType({.kind = Kind::kArray, .plain = plain, .element = element});
  }
  if (name == "object") {
    const Json* values = FieldOf(spec, "additionalProperties");
    const Type* element = values ? BindType(path + "/additionalProperties", *values) : NewType({.kind = Kind::kString});
    return NewType({.kind = Kind::kMap, .plain = plain, .element = element});
  }
  Error(path + "/type", "unknown type kind " + name);
  return Invalid();
}

const Type* Binder::BindUnion(const std::string& path, const Json& spec) {
  Type type{.kind = Kind::kUnion, .plain = BoolOf(spec, "plain")};
  const Json& alternatives = *FieldOf(spec, "oneOf");
  if (alternatives.size() < 2) Error(path + "/oneOf", "oneOf should list at least two types");
  if (const std::string name = TextOf(spec, "type"); !name.empty()) {
    const auto kind = PrimitiveKind(name);
    if (!kind) Error(path + "/type", "unknown primitive type " + name);
    type.default_type = NewType({.kind = kind.value_or(Kind::kAny)});
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
  if (const auto kind = BuiltinKind(text)) return NewType({.kind = *kind});
  const auto reference = ParseReference(text);
  if (!reference.ok()) {
    Error(path, reference.status().message());
    return Invalid();
  }
  const bool same_version =
      reference->version.empty() || package_->version.empty() || reference->version == package_->version;
  const bool own = reference->package.empty() || (reference->package == package_->name && same_version);
  return own ? BindOwn(path, spec, *reference) : BindForeign(path, *reference);
}

const Type* Binder::BindOwn(const std::string& path, const Json& spec, const Reference& reference) {
  if (reference.section != Reference::Section::kTypes) {
    const bool provider = reference.section == Reference::Section::kProvider;
    const std::string token = provider ? "pulumi:providers:" + package_->name : reference.token;
    if (!provider && IsProviderType(token)) {
      Warn(path, "reference to provider resource '/resources/" + token + "' is deprecated, use '#/provider' instead");
    }
    const Resource* resource = BindResource(token);
    if (resource) return NewType({.kind = Kind::kResource, .resource = resource, .token = token});
    Error(path, "resource type " + token + " not found in package " + package_->name);
    return Invalid();
  }
  Type type{.token = reference.token};
  if (BindDefinition(reference.token, &type)) return NewType(std::move(type));
  if (!options_.dangling_references) {
    Error(path, "type " + reference.token + " not found in package " + package_->name);
  }
  type.kind = Kind::kToken;
  if (const auto kind = PrimitiveKind(TextOf(spec, "type"))) type.default_type = NewType({.kind = *kind});
  return NewType(std::move(type));
}

std::shared_ptr<const Package> Binder::ForeignPackage(const std::string& path, const Reference& reference) {
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

const Type* Binder::BindForeign(const std::string& path, const Reference& reference) {
  const auto package = ForeignPackage(path, reference);
  if (!package) return Invalid();
  const bool provider = reference.section == Reference::Section::kProvider;
  Type type{.token = provider ? "pulumi:providers:" + reference.package : reference.token};
  if (reference.section == Reference::Section::kTypes) {
    type.object = package->FindObject(type.token);
    type.enumeration = package->FindEnum(type.token);
    type.kind = type.object ? Kind::kObject : Kind::kEnum;
  } else {
    type.resource = provider ? package->provider : package->FindResource(type.token);
    type.kind = Kind::kResource;
  }
  if (type.object || type.enumeration || type.resource) return NewType(std::move(type));
  const char* what = reference.section == Reference::Section::kTypes ? "type " : "resource type ";
  Error(path, what + type.token + " not found in package " + reference.package);
  return Invalid();
}

// False if nobody defines it.
bool Binder::BindDefinition(const std::string& token, Type* type) {
  type->token = token;
  if (const auto known = objects_.find(token); known != objects_.end()) {
    type->kind = Kind::kObject;
    type->object = known->second.get();
    return true;
  }
  if (const auto known = enums_.find(token); known != enums_.end()) {
    type->kind = Kind::kEnum;
    type->enumeration = known->second.get();
    return true;
  }
  const Json* spec = Spec("types", token);
  if (!spec) return false;
  CheckName(MemberPath("types", token), "type", token);
  if (TextOf(*spec, "type") != "object") {
    type->kind = Kind::kEnum;
    type->enumeration = BindEnum(token, *spec);
    return true;
  }
  auto& object = objects_[token] = std::make_unique<ObjectType>();
  object->token = token;
  DescribeObject(MemberPath("types", token), *spec, object.get());
  type->kind = Kind::kObject;
  type->object = object.get();
  return true;
}

ObjectType* Binder::BindObject(const std::string& path, const Json& spec) {
  anonymous_.push_back(std::make_unique<ObjectType>());
  DescribeObject(path, spec, anonymous_.back().get());
  return anonymous_.back().get();
}

void Binder::DescribeObject(const std::string& path, const Json& spec, ObjectType* object) {
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
}

const EnumType* Binder::BindEnum(const std::string& token, const Json& spec) {
  EnumType* enumeration = (enums_[token] = std::make_unique<EnumType>()).get();
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
    const auto constant = BindConstant(at, "enum", ValueOfEnum(value), Type{.kind = enumeration->element});
    if (!constant) continue;
    enumeration->values.push_back(
        {TextOf(value, "name"), TextOf(value, "description"), TextOf(value, "deprecationMessage"), *constant});
  }
  return enumeration;
}

LazyProperties Binder::BindPropertiesLazily(const std::string& path, const Json& spec, const char* properties,
                                            const char* required) {
  return LazyProperties([=, this, &spec] { return BindProperties(path, spec, properties, required); });
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
    const auto found = std::find_if(bound.begin(), bound.end(), [&](const Property& one) { return one.name == name; });
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
  if (type.kind == Kind::kEnum) return BindConstant(path, "default", value, Type{.kind = type.enumeration->element});
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
