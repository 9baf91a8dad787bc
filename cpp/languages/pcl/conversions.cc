// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/conversions.h"

#include <algorithm>

#include "languages/pcl/datum.h"

namespace kingpost::pcl {

namespace {

using Kind = schema::Type::Kind;

Value ConvertScalar(const Value& value, Kind kind) {
  if (kind == Kind::kBool) {
    if (const auto flag = ToBool(value)) return Value(*flag);
  } else if (kind == Kind::kNumber || kind == Kind::kInteger) {
    if (const auto number = ToNumber(value)) return Value(*number);
  } else if (kind == Kind::kString) {
    if (const auto text = ToText(value)) return Value(*text);
  }
  return value;
}

Value Convert(const Value& value, const schema::Type& type, bool inside_secret) {
  if (value.is_secret() || value.is_output()) {
    Datum datum = Open(value);
    datum.value = Convert(datum.value, type, inside_secret || datum.marks.secret);
    return Close(datum);
  }
  if (type.kind == Kind::kArray && value.is_array()) {
    Array converted;
    for (const Value& part : value.as_array()) converted.push_back(Convert(part, *type.element, inside_secret));
    return Value(std::move(converted));
  }
  if (type.kind == Kind::kMap && value.is_object()) {
    PropertyMap converted;
    for (const auto& [key, part] : value.as_object()) converted.Set(key, Convert(part, *type.element, inside_secret));
    return Value(std::move(converted));
  }
  if (type.kind == Kind::kObject && value.is_object()) {
    return Value(ApplySchema(value.as_object(), type.object->properties, inside_secret));
  }
  if (type.kind != Kind::kUnion) return ConvertScalar(value, type.plain_kind());
  // A type that takes the value as it is comes before one that would change it.
  std::optional<Value> first;
  for (const schema::Type* choice : type.elements) {
    if (!Fits(value, *choice)) continue;
    Value converted = Convert(value, *choice, inside_secret);
    if (DeepEqual(converted, value)) return value;
    if (!first) first = std::move(converted);
  }
  return first.value_or(value);
}

}  // namespace

PropertyMap ApplySchema(const PropertyMap& inputs, const schema::Properties& properties, bool inside_secret) {
  PropertyMap result = inputs;
  for (const schema::Property& property : properties) {
    const Value* given = inputs.Find(property.name);
    const bool has_default = property.default_value && property.default_value->value;
    if (!given && !has_default) continue;
    Value value = given ? Convert(*given, *property.type, inside_secret || property.secret)
                        : schema::ValueOf(*property.default_value->value);
    if (property.secret && !inside_secret) {
      Datum datum = Open(value);
      datum.marks.secret = true;
      value = Close(datum);
    }
    result.Set(property.name, std::move(value));
  }
  return result;
}

bool Fits(const Value& wrapped, const schema::Type& type) {
  const Value value = Open(wrapped).value;
  if (value.is_null() || value.is_computed() || value.is_reference()) return true;
  switch (type.plain_kind()) {
    case Kind::kBool:
      return value.is_bool() || value.is_string();
    case Kind::kInteger:
    case Kind::kNumber:
      return value.is_number() || value.is_string();
    case Kind::kString:
      return value.is_string() || value.is_number() || value.is_bool();
    case Kind::kArray:
      return value.is_array() && std::all_of(value.as_array().begin(), value.as_array().end(),
                                             [&](const Value& part) { return Fits(part, *type.element); });
    case Kind::kMap:
    case Kind::kObject:
      return value.is_object();
    case Kind::kUnion:
      return std::any_of(type.elements.begin(), type.elements.end(),
                         [&](const schema::Type* choice) { return Fits(value, *choice); });
    default:
      return true;
  }
}

Value CollapseReferences(const Value& value) {
  return Rewrite(value, [](const Value& part) {
    if (part.is_output()) {
      // If a value depends only on the resource itself, the reference is enough.
      const OutputData& output = part.as_output();
      if (!output.known || !output.element.is_reference() || output.dependencies.size() != 1) return part;
      if (output.element.as_reference().urn != output.dependencies.front()) return part;
      return output.secret ? Value::Secret(output.element) : output.element;
    }
    if (!part.is_object()) return part;
    const PropertyMap& object = part.as_object();
    const Value *urn = object.Find("urn"), *id = object.Find("id"), *type = object.Find("__type");
    if (!urn || !id || !type || !urn->is_string() || !type->is_string()) return part;
    ResourceReference reference;
    reference.urn = Urn(urn->as_string());
    const bool component = id->is_string() && id->as_string().empty();
    if (!component) reference.id = std::make_shared<const Value>(*id);
    return Value::Reference(std::move(reference));
  });
}

}  // namespace kingpost::pcl
