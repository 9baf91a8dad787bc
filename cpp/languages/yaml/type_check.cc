// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/type_check.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/os.h"
#include "languages/yaml/expression_parser.h"
#include "languages/yaml/type_inference.h"

namespace kingpost::yaml {

namespace {

using Kind = Type::Kind;

std::string ChoicesText(const std::vector<Value>& choices) {
  std::string text;
  for (const Value& choice : choices) {
    text += (text.empty() ? "" : ", ") + (choice.is_string() ? Quote(choice.as_string()) : *pcl::ToText(choice));
  }
  return "Allowed values are " + text;
}

// One body. Where a value does not fit, the closest part of it that does not is told.
class Checker {
 public:
  Checker(const Body& body, const PackageBook& book, Diagnostics* diagnostics)
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
    const pcl::ResourceSchema& schema = resolved->schema;
    CheckKeys(resource, schema);
    if (resource.get_id) {
      if (!Fits(resource.get_id, Kind::kText)) {
        Mismatch(resource.get_id, Kind::kText, "get.id");
      }
      CheckProperties(resource.get_state, schema.outputs, schema.token);
      return;
    }
    if (resource.all_properties) {
      types_.TypeOf(resource.all_properties);
      return;
    }
    CheckProperties(resource.properties, schema.inputs, schema.token);
    for (const pcl::PropertySchema& input : schema.inputs) {
      const bool given = std::any_of(resource.properties.begin(), resource.properties.end(),
                                     [&](const NamedExpression& property) { return property.name == input.name; });
      if (given || !input.required || input.constant || resource.type.value == kStackReference) continue;
      diagnostics_.Error(resource.at, "Missing required property '" + input.name + "'",
                         "The resource " + Quote(resource.key) + " of type " + schema.token + " needs it.");
    }
  }

  void CheckKeys(const ResourceDecl& resource, const pcl::ResourceSchema& schema) {
    for (const Text& key : resource.unknown_keys) {
      std::string under;
      const auto& options = ResourceOptionNames();
      if (std::find(options.begin(), options.end(), key.value) != options.end()) under = "options";
      for (const pcl::PropertySchema& input : schema.inputs) {
        if (input.name == key.value) under = under.empty() ? "properties" : "properties and options";
      }
      const std::vector<std::string> known(std::begin(kResourceKeys), std::end(kResourceKeys));
      diagnostics_.Error(key.at, "Resource " + schema.token + " has invalid key '" + key.value + "'",
                         under.empty() ? "Existing fields are: " + ListClosest(key.value, known, 6)
                                       : "'" + key.value + "' exists under " + under);
    }
  }

  void CheckProperties(const std::vector<NamedExpression>& given, const std::vector<pcl::PropertySchema>& known,
                       const std::string& token) {
    for (const NamedExpression& property : given) {
      const auto found = std::find_if(known.begin(), known.end(),
                                      [&](const pcl::PropertySchema& each) { return each.name == property.name; });
      if (found != known.end()) {
        CheckValue(property.value, found->type, property.name);
        continue;
      }
      types_.TypeOf(property.value);
      std::vector<std::string> names;
      for (const pcl::PropertySchema& each : known) names.push_back(each.name);
      diagnostics_.Error(property.at, "Property " + property.name + " does not exist on '" + token + "'",
                         names.empty() ? "'" + token + "' has no properties"
                                       : "Existing properties are: " + ListClosest(property.name, names, 5));
    }
  }

  // Goes into objects and lists that are written out, so that what is wrong is told where it stands.
  void CheckValue(const pcl::ExpressionPtr& value, const Type& to, const std::string& path) {
    const auto* object = value->as<pcl::ObjectLiteral>();
    const auto* list = value->as<pcl::TupleLiteral>();
    if (object && to.kind() == Kind::kObject) return CheckObject(*object, value->at, to, path);
    if (object && to.kind() == Kind::kMap) {
      for (const auto& item : object->items) CheckValue(item.value, to.element(), path);
      return;
    }
    if (list && to.kind() == Kind::kList) {
      for (size_t i = 0; i < list->elements.size(); ++i) {
        CheckValue(list->elements[i], to.element(), path + "[" + std::to_string(i) + "]");
      }
      return;
    }
    if (!Fits(value, to)) return Mismatch(value, to, path);
    const auto* literal = value->as<pcl::Literal>();
    const std::vector<Value> choices = to.choices();
    if (choices.empty() || !literal || literal->value.is_null()) return;
    const auto same = [&](const Value& choice) { return DeepEqual(choice, literal->value); };
    if (std::any_of(choices.begin(), choices.end(), same)) return;
    diagnostics_.Error(value->at, to.text() + " is not assignable from " + types_.TypeOf(value).text() + ": " + path,
                       ChoicesText(choices));
  }

  void CheckObject(const pcl::ObjectLiteral& object, pcl::Position at, const Type& to, const std::string& path) {
    std::vector<NamedExpression> given;
    for (const auto& item : object.items) {
      const std::string* key = LiteralText(item.key);
      if (!key) return;  // names that are not known yet
      given.push_back({*key, item.key->at, item.value});
    }
    const std::vector<pcl::PropertySchema> known = to.properties();
    CheckProperties(given, known, to.text());
    for (const pcl::PropertySchema& property : known) {
      const bool there = std::any_of(given.begin(), given.end(),
                                     [&](const NamedExpression& each) { return each.name == property.name; });
      if (there || !property.required || property.constant) continue;
      diagnostics_.Error(at, "Missing required property '" + property.name + "'",
                         path + " is of the type " + to.text() + ", which needs it.");
    }
  }

  void Mismatch(const pcl::ExpressionPtr& value, const Type& to, const std::string& path) {
    const std::string from = types_.TypeOf(value).text();
    diagnostics_.Error(value->at, to.text() + " is not assignable from " + from,
                       path + ": Cannot assign '" + from + "' to '" + to.text() + "'");
  }

  bool Fits(const pcl::ExpressionPtr& value, const Type& to) { return Fits(types_.TypeOf(value), to); }

  static bool Fits(const Type& from, const Type& to) {
    if (from.kind() == Kind::kAny || to.kind() == Kind::kAny) return true;
    if (from.kind() == Kind::kUnion) {
      const auto parts = from.alternatives();
      return std::all_of(parts.begin(), parts.end(), [&](const Type& part) { return Fits(part, to); });
    }
    switch (to.kind()) {
      case Kind::kText:  // what is not one becomes one
        return from.kind() == Kind::kText || from.kind() == Kind::kNumber || from.kind() == Kind::kBool ||
               from.kind() == Kind::kResource;
      case Kind::kAsset:
        return from.kind() == Kind::kAsset || from.kind() == Kind::kArchive;
      case Kind::kList:
        return from.kind() == Kind::kList && Fits(from.element(), to.element());
      case Kind::kMap:
        return FitsMap(from, to.element());
      case Kind::kObject:
        return FitsObject(from, to);
      case Kind::kUnion: {
        const auto choices = to.alternatives();
        return std::any_of(choices.begin(), choices.end(), [&](const Type& choice) { return Fits(from, choice); });
      }
      default:
        return from.kind() == to.kind();
    }
  }

  static bool FitsMap(const Type& from, const Type& element) {
    if (from.kind() == Kind::kMap) return Fits(from.element(), element);
    if (from.kind() != Kind::kObject) return false;
    const auto fields = from.fields();
    return std::all_of(fields.begin(), fields.end(),
                       [&](const TypedField& field) { return Fits(*field.type, element); });
  }

  // Of two objects of one shape nothing has to be compared, however deep it goes, or in circles.
  static bool FitsObject(const Type& from, const Type& to) {
    if (from.kind() == Kind::kMap) return true;
    if (from.kind() != Kind::kObject) return false;
    if (from.text() == to.text()) return true;
    const auto fields = from.fields();
    for (const pcl::PropertySchema& property : to.properties()) {
      const auto field = std::find_if(fields.begin(), fields.end(),
                                      [&](const TypedField& each) { return each.name == property.name; });
      if (field == fields.end() ? property.required && !property.constant : !Fits(*field->type, property.type)) {
        return false;
      }
    }
    return true;
  }

  const Body& body_;
  const PackageBook& book_;
  Diagnostics& diagnostics_;
  TypeInference types_;
};

}  // namespace

void CheckTypes(const Body& body, const PackageBook& book, Diagnostics* diagnostics) {
  if (IsTruthy(GetEnvironment("PULUMI_DEBUG_YAML_DISABLE_TYPE_CHECKING"))) {
    diagnostics->Warning({0, 0}, "Running with type checking disabled. This is not recommended for production use.");
    return;
  }
  Checker(body, book, diagnostics).Check();
}

}  // namespace kingpost::yaml
