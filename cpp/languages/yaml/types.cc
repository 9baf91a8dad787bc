// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/types.h"

namespace kingpost::yaml {

namespace {

using SchemaKind = pcl::TypeSchema::Kind;

Type::Kind KindOfSchema(const pcl::TypeSchema& schema) {
  const std::string reference = schema.reference();
  if (reference == "pulumi.json#/Asset") return Type::Kind::kAsset;
  if (reference == "pulumi.json#/Archive") return Type::Kind::kArchive;
  switch (schema.kind()) {
    case SchemaKind::kAny:
      return Type::Kind::kAny;
    case SchemaKind::kBool:
      return Type::Kind::kBool;
    case SchemaKind::kNumber:
      return Type::Kind::kNumber;
    case SchemaKind::kText:
      return Type::Kind::kText;
    case SchemaKind::kList:
      return Type::Kind::kList;
    case SchemaKind::kMap:
      return Type::Kind::kMap;
    case SchemaKind::kObject:
      return Type::Kind::kObject;
    case SchemaKind::kUnion:
      break;
  }
  return Type::Kind::kUnion;
}

std::vector<TypedField> FieldsOf(const std::vector<pcl::PropertySchema>& properties) {
  std::vector<TypedField> fields;
  for (const pcl::PropertySchema& property : properties) {
    fields.push_back({property.name, std::make_shared<const Type>(property.type)});
  }
  return fields;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

}  // namespace

Type::Type(const pcl::TypeSchema& schema) : kind_(KindOfSchema(schema)), schema_(schema) {}

Type Type::ListOf(Type element) {
  Type type(Kind::kList);
  type.parts_.push_back(std::move(element));
  return type;
}

Type Type::MapOf(Type element) {
  Type type(Kind::kMap);
  type.parts_.push_back(std::move(element));
  return type;
}

Type Type::ObjectOf(std::vector<TypedField> fields) {
  Type type(Kind::kObject);
  type.fields_ = std::move(fields);
  return type;
}

Type Type::ObjectOf(const std::vector<pcl::PropertySchema>& properties) {
  Type type = ObjectOf(FieldsOf(properties));
  type.answer_ = true;
  return type;
}

Type Type::UnionOf(std::vector<Type> alternatives) {
  if (alternatives.size() == 1) return std::move(alternatives[0]);
  Type type(alternatives.empty() ? Kind::kAny : Kind::kUnion);
  type.parts_ = std::move(alternatives);
  return type;
}

Type Type::ResourceOf(const pcl::ResourceSchema& schema) {
  Type type(Kind::kResource);
  type.token_ = schema.token;
  type.fields_ = FieldsOf(schema.outputs);
  if (!schema.component) type.fields_.push_back({"id", std::make_shared<const Type>(Kind::kText)});
  type.fields_.push_back({"urn", std::make_shared<const Type>(Kind::kText)});
  return type;
}

Type Type::element() const {
  if (!parts_.empty()) return parts_[0];
  return schema_ ? Type(schema_->element()) : Type();
}

std::vector<TypedField> Type::fields() const { return schema_ ? FieldsOf(schema_->properties()) : fields_; }

std::vector<pcl::PropertySchema> Type::properties() const {
  return schema_ ? schema_->properties() : std::vector<pcl::PropertySchema>();
}

std::vector<Type> Type::alternatives() const {
  if (!schema_) return parts_;
  std::vector<Type> types;
  for (const pcl::TypeSchema& choice : schema_->alternatives()) types.emplace_back(choice);
  return types;
}

std::vector<Value> Type::choices() const { return schema_ ? schema_->choices() : std::vector<Value>(); }

std::string Type::text() const {
  constexpr std::string_view kTypes = "#/types/";
  const std::string reference = schema_ ? schema_->reference() : "";
  const bool named = kind_ == Kind::kObject || (schema_ && !schema_->choices().empty());
  if (named && reference.starts_with(kTypes)) return reference.substr(kTypes.size());
  std::vector<std::string> parts;
  switch (kind_) {
    case Kind::kAny:
      return "any";
    case Kind::kText:
      return "string";
    case Kind::kNumber:
      return schema_ && schema_->integer() ? "integer" : "number";
    case Kind::kBool:
      return "boolean";
    case Kind::kAsset:
      return "asset";
    case Kind::kArchive:
      return "archive";
    case Kind::kList:
      return "List<" + element().text() + ">";
    case Kind::kMap:
      return "Map<" + element().text() + ">";
    case Kind::kResource:
      return token_;
    case Kind::kUnion:
      for (const Type& type : alternatives()) parts.push_back(type.text());
      return "Union<" + Joined(parts) + ">";
    case Kind::kObject:
      break;
  }
  for (const TypedField& field : fields()) parts.push_back(field.name + ": " + field.type->text());
  return "{" + Joined(parts) + "}";
}

}  // namespace kingpost::yaml
