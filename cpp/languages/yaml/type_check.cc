// SPDX-License-Identifier: Apache-2.0
// Whether resources have the properties that their schemas know, and values the types that these ask for.
#include <algorithm>

#include "base/encoding.h"
#include "base/os.h"
#include "languages/yaml/expression_reader.h"
#include "languages/yaml/type_inference.h"
#include "model/stack_reference.h"

namespace kingpost::yaml {

namespace {

using Kind = Type::Kind;
using schema::PlainType;
using schema::TypeText;

std::string ChoicesText(const schema::EnumType& enumeration) {
  std::string text;
  for (const schema::EnumValue& each : enumeration.values) {
    const Value choice = schema::ValueOf(each.value);
    text += (text.empty() ? "" : ", ") + (choice.is_string() ? Quote(choice.as_string()) : *pcl::ToText(choice));
  }
  return "Allowed values are " + text;
}

// One body. Where a value does not fit, the closest part of it that does not is told.
class Checker {
 public:
  Checker(const Body& body, const PackageIndex& book, Diagnostics* diagnostics)
      : body_(body), book_(book), diagnostics_(*diagnostics), types_(body, book, diagnostics) {}

  void Check() {
    for (const ResourceDecl& resource : body_.resources) CheckResource(resource);
    for (const NamedExpression& variable : body_.variables) types_.TypeOf(variable.value);
    for (const NamedExpression& output : body_.outputs) types_.TypeOf(output.value);
  }

 private:
  void CheckResource(const ResourceDecl& resource) {
    const auto resolved = book_.FindResource(UseOf(resource));
    if (!resolved.ok()) {
      diagnostics_.Error(resource.type.at,
                         "error resolving type of resource " + resource.key + ": " + resolved.status().message());
      return;
    }
    const schema::Resource& schema = *resolved->schema;
    CheckKeys(resource, schema);
    if (resource.get_id) {
      CheckValue(resource.get_id, PlainType(Kind::kString), "get.id");
      CheckProperties(resource.get_state, schema.outputs, schema.token);
      return;
    }
    if (resource.all_properties) {
      types_.TypeOf(resource.all_properties);
      return;
    }
    CheckProperties(resource.properties, schema.inputs, schema.token);
    if (resource.type.value == kStackReferenceType) return;
    CheckRequired(resource.properties, schema.inputs, resource.at,
                  "The resource " + Quote(resource.key) + " of type " + schema.token + " needs it.");
  }

  void CheckRequired(const std::vector<NamedExpression>& given, const schema::Properties& known, pcl::Position at,
                     const std::string& detail) {
    for (const schema::Property& property : known) {
      if (!property.required || property.constant || pcl::FindNamed(given, property.name)) continue;
      diagnostics_.Error(at, "Missing required property '" + property.name + "'", detail);
    }
  }

  void CheckKeys(const ResourceDecl& resource, const schema::Resource& schema) {
    for (const Text& key : resource.unknown_keys) {
      std::string under;
      const auto& options = ResourceOptionNames();
      if (std::find(options.begin(), options.end(), key.value) != options.end()) under = "options";
      if (schema::FindProperty(schema.inputs, key.value)) {
        under = under.empty() ? "properties" : "properties and options";
      }
      const std::vector<std::string> known(std::begin(kResourceKeys), std::end(kResourceKeys));
      diagnostics_.Error(key.at, "Resource " + schema.token + " has invalid key '" + key.value + "'",
                         under.empty() ? "Existing fields are: " + ListClosest(key.value, known, 6)
                                       : "'" + key.value + "' exists under " + under);
    }
  }

  void CheckProperties(const std::vector<NamedExpression>& given, const schema::Properties& known,
                       const std::string& token) {
    for (const NamedExpression& property : given) {
      if (const schema::Property* found = schema::FindProperty(known, property.name)) {
        CheckValue(property.value, *found->type, property.name);
        continue;
      }
      types_.TypeOf(property.value);
      diagnostics_.Error(property.at, "Property " + property.name + " does not exist on '" + token + "'",
                         NamesOf(known, property.name, "'" + token + "' has no properties"));
    }
  }

  // Goes into objects and lists that are written out, so that what is wrong is told where it stands.
  void CheckValue(const pcl::ExpressionPtr& value, const Type& to, const std::string& path) {
    const auto* object = value->as<pcl::ObjectLiteral>();
    const auto* list = value->as<pcl::TupleLiteral>();
    if (object && to.kind == Kind::kObject) return CheckObject(*object, value->at, to, path);
    if (object && to.kind == Kind::kMap) {
      for (const auto& item : object->items) CheckValue(item.value, *to.element, path);
      return;
    }
    if (list && to.kind == Kind::kArray) {
      for (size_t i = 0; i < list->elements.size(); ++i) {
        CheckValue(list->elements[i], *to.element, path + "[" + std::to_string(i) + "]");
      }
      return;
    }
    const Type& type = types_.TypeOf(value);
    const auto refuse = [&](const std::string& more, const std::string& detail) {
      diagnostics_.Error(value->at, TypeText(to) + " is not assignable from " + TypeText(type) + more, detail);
    };
    if (!Fits(type, to)) return refuse("", path + ": Cannot assign '" + TypeText(type) + "' to '" + TypeText(to) + "'");
    const auto* literal = value->as<pcl::Literal>();
    if (to.kind != Kind::kEnum || !literal || literal->value.is_null()) return;
    const auto& choices = to.enumeration->values;
    const auto same = [&](const auto& choice) { return DeepEqual(schema::ValueOf(choice.value), literal->value); };
    if (choices.empty() || std::any_of(choices.begin(), choices.end(), same)) return;
    refuse(": " + path, ChoicesText(*to.enumeration));
  }

  void CheckObject(const pcl::ObjectLiteral& object, pcl::Position at, const Type& to, const std::string& path) {
    std::vector<NamedExpression> given;
    for (const auto& item : object.items) {
      const std::string* key = LiteralText(item.key);
      if (!key) return;  // names that are not known yet
      given.push_back({*key, item.value, item.key->at});
    }
    const schema::Properties& known = to.object->properties;
    CheckProperties(given, known, TypeText(to));
    CheckRequired(given, known, at, path + " is of the type " + TypeText(to) + ", which needs it.");
  }

  static bool Fits(const Type& from, const Type& to) {
    const Kind kind = from.plain_kind();
    if (kind == Kind::kAny) return true;
    if (kind == Kind::kUnion) {
      return std::all_of(from.elements.begin(), from.elements.end(), [&](const Type* part) { return Fits(*part, to); });
    }
    switch (to.plain_kind()) {
      case Kind::kAny:
      case Kind::kResource:  // the engine tells of what is none
        return true;
      case Kind::kString:  // what is not one becomes one
        return kind == Kind::kString || from.is_number() || kind == Kind::kBool || kind == Kind::kResource;
      case Kind::kInteger:
      case Kind::kNumber:
        return from.is_number();
      case Kind::kAsset:
        return kind == Kind::kAsset || kind == Kind::kArchive;
      case Kind::kArray:
        return kind == Kind::kArray && Fits(*from.element, *to.element);
      case Kind::kMap:
        return FitsMap(from, *to.element);
      case Kind::kObject:
        return FitsObject(from, to);
      case Kind::kUnion:
        return std::any_of(to.elements.begin(), to.elements.end(),
                           [&](const Type* choice) { return Fits(from, *choice); });
      default:
        return kind == to.plain_kind();
    }
  }

  static bool FitsMap(const Type& from, const Type& element) {
    if (from.kind == Kind::kMap) return Fits(*from.element, element);
    if (from.kind != Kind::kObject) return false;
    return std::all_of(from.object->properties.begin(), from.object->properties.end(),
                       [&](const schema::Property& field) { return Fits(*field.type, element); });
  }

  // Two objects of one shape need no comparison, however deep they are, or in circles.
  static bool FitsObject(const Type& from, const Type& to) {
    if (from.kind == Kind::kMap) return true;
    if (from.kind != Kind::kObject) return false;
    if (TypeText(from) == TypeText(to)) return true;
    for (const schema::Property& property : to.object->properties) {
      const schema::Property* field = schema::FindProperty(from.object->properties, property.name);
      if (field ? !Fits(*field->type, *property.type) : property.required && !property.constant) return false;
    }
    return true;
  }

  const Body& body_;
  const PackageIndex& book_;
  Diagnostics& diagnostics_;
  TypeInference types_;
};

}  // namespace

void CheckTypes(const Body& body, const PackageIndex& book, Diagnostics* diagnostics) {
  if (IsTruthy(GetEnvironment("PULUMI_DEBUG_YAML_DISABLE_TYPE_CHECKING"))) {
    diagnostics->Warning({0, 0}, "Running with type checking disabled. This is not recommended for production use.");
    return;
  }
  Checker(body, book, diagnostics).Check();
}

}  // namespace kingpost::yaml
