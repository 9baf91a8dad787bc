// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/narrowing.h"

#include <algorithm>

#include "languages/pcl/datum.h"

namespace kingpost::codegen {

namespace {

using schema::Type;

// Whether the object may be meant by the type: it has all its keys, and the constants that they must be.
bool Suits(const pcl::ObjectLiteral& object, const Type& type) {
  if (type.kind != Type::Kind::kObject) return false;
  return std::all_of(object.items.begin(), object.items.end(), [&](const auto& item) {
    const std::string* key = pcl::LiteralText(item.key);
    const schema::Property* property = key ? schema::FindProperty(type.object->properties, *key) : nullptr;
    if (!property || !property->constant) return property != nullptr;
    const auto* value = item.value->template as<pcl::Literal>();
    return value && DeepEqual(value->value, schema::ValueOf(*property->constant));
  });
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

bool IsOfSchema(const Type& type) { return type.resource || (type.object && type.object->package); }

}  // namespace kingpost::codegen
