// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/narrowing.h"

#include <algorithm>

#include "languages/pcl/conversions.h"

namespace kingpost::codegen {

namespace {

using schema::FindProperty;
using schema::Type;

// Whether the object may be meant by the type: it has all its keys, and the constants that they must be.
bool Suits(const pcl::ObjectLiteral& object, const Type& type) {
  if (type.kind != Type::Kind::kObject) return false;
  return std::all_of(object.items.begin(), object.items.end(), [&](const auto& item) {
    const std::string* key = pcl::LiteralText(item.key);
    const schema::Property* property = key ? FindProperty(type.object->properties, *key) : nullptr;
    if (!property || !property->constant) return property != nullptr;
    const auto* value = item.value->template as<pcl::Literal>();
    return value && DeepEqual(value->value, schema::ValueOf(*property->constant));
  });
}

// How well an object's type suits a value: all it requires is there, with the constants it asks for, and no more.
bool Suits(const PropertyMap& object, const schema::Properties& properties) {
  for (const schema::Property& property : properties) {
    const Value* value = object.Find(property.name);
    if (!value && property.required) return false;
    if (!value) continue;
    if (property.constant && !DeepEqual(*value, schema::ValueOf(*property.constant))) return false;
    if (!pcl::Fits(*value, *property.type)) return false;
  }
  return std::all_of(object.begin(), object.end(),
                     [&](const auto& entry) { return FindProperty(properties, entry.first) != nullptr; });
}

}  // namespace

const Type& Narrowed(const Type& type, const pcl::Expression& expression) {
  if (type.kind != Type::Kind::kUnion) return type;
  const auto* object = expression.as<pcl::ObjectLiteral>();
  for (const Type* alternative : type.elements) {
    if (object && Suits(*object, *alternative)) return *alternative;
    if (expression.as<pcl::TupleLiteral>() && alternative->kind == Type::Kind::kArray) return *alternative;
  }
  for (const Type* alternative : type.elements) {
    if (object && alternative->kind == Type::Kind::kMap) return *alternative;
  }
  return schema::AnyType();
}

const Type& Narrowed(const Type& type, const Value& value) {
  if (type.kind != Type::Kind::kUnion) return type;
  const Value plain = StripSecrets(value);
  for (const Type* alternative : type.elements) {
    const Type& narrowed = Narrowed(*alternative, plain);
    const bool suits = plain.is_object() && narrowed.kind == Type::Kind::kObject
                           ? Suits(plain.as_object(), narrowed.object->properties)
                           : pcl::Fits(plain, narrowed);
    if (suits) return narrowed;
  }
  return schema::AnyType();
}

const Type& TypeIn(const schema::Properties& properties, const std::string& name) {
  const schema::Property* property = FindProperty(properties, name);
  return property ? *property->type : schema::AnyType();
}

pcl::ExpressionPtr WithParts(const pcl::Expression& whole, const Type& type, const PartConverter& convert,
                             const Refusal& refuse) {
  const auto* list = whole.as<pcl::TupleLiteral>();
  const bool has_element = type.kind == (list ? Type::Kind::kArray : Type::Kind::kMap);
  const Type& element = has_element ? *type.element : schema::AnyType();
  if (list) {
    pcl::TupleLiteral converted;
    for (const pcl::ExpressionPtr& each : list->elements) converted.elements.push_back(convert(each, element));
    return Make(std::move(converted));
  }
  pcl::ObjectLiteral converted;
  converted.typed = type.object && IsOfSchema(type);
  for (const pcl::ObjectLiteral::Item& item : whole.as<pcl::ObjectLiteral>()->items) {
    const std::string* key = LiteralText(item.key);
    if (!key) return refuse(item.key->at, "a key that is computed");
    const Type& part = converted.typed ? TypeIn(type.object->properties, *key) : element;
    converted.items.push_back({item.key, convert(item.value, part)});
  }
  return Make(std::move(converted));
}

bool IsOfSchema(const Type& type) { return type.resource || (type.object && type.object->package); }

}  // namespace kingpost::codegen
