// SPDX-License-Identifier: Apache-2.0
// Lists and objects: making them, looking into them, walking over them.
#include <cmath>

#include "languages/pcl/evaluator.h"
#include "languages/pcl/resource_value.h"

namespace kingpost::pcl {

Datum Evaluator::Expand(Datum datum, Position at) {
  if (!datum.value.is_reference()) return datum;
  const ResourceReference reference = datum.value.as_reference();
  const std::string urn = reference.urn.str();
  Effect effect;
  effect.invoke.token = "pulumi:pulumi:getResource";
  effect.invoke.args.Set("urn", Value(urn));
  const Result<EffectAnswer>* answer = Ask(std::move(effect), at);
  if (!answer) return Unknown({});
  if (!answer->ok()) return Fail(at, "reading " + urn + ": " + answer->status().message());
  const Value* state = (*answer)->result.Find("state");
  PropertyMap outputs = state && state->is_object() ? state->as_object() : PropertyMap();
  Datum resource = ResourceObject(std::move(outputs), reference.urn, reference.id ? *reference.id : Value(""));
  // A value that is read of the resource depends on it, and not only on the component that named it.
  datum.marks.Add(resource.marks);
  return {std::move(resource.value), std::move(datum.marks)};
}

Datum Evaluator::AttributeOf(const Datum& whole, const std::string& name, bool open, Position at) {
  const Datum object = Expand(whole, at);
  if (!object.known()) return Unknown(object.marks);
  if (!object.value.is_object()) {
    return Fail(at, "only objects have attributes; '." + name + "' was asked of " + KindName(object.value));
  }
  if (const Value* part = object.value.as_object().Find(name)) return Open(*part, object.marks);
  return open ? Unknown(object.marks) : Fail(at, "there is no attribute '" + name + "'");
}

Datum Evaluator::ElementOf(const Datum& list, const Value& key, Position at) {
  const auto number = ToNumber(key);
  if (!number || *number != std::floor(*number)) return Fail(at, "the index of a list must be a whole number");
  const Array& elements = list.value.as_array();
  if (*number >= 0 && *number < static_cast<double>(elements.size())) {
    return Open(elements[static_cast<size_t>(*number)], list.marks);
  }
  return Fail(at, "the list has no such element: it has " + std::to_string(elements.size()));
}

Datum Evaluator::PartInYaml(const Datum& given, const Value& key, bool by_name, Position at) {
  const Datum whole = Expand(given, at);
  if (!whole.known()) return Unknown(whole.marks);
  const Value& value = whole.value;
  if (value.is_array()) {
    if (by_name || !key.is_number()) return Fail(at, "cannot access a list element using a property name");
    const size_t size = value.as_array().size();
    if (key.as_number() >= 0 && key.as_number() < static_cast<double>(size)) {
      return Open(value.as_array()[static_cast<size_t>(key.as_number())], whole.marks);
    }
    return Fail(at, OutOfBounds(key.as_number(), size));
  }
  if (!value.is_object()) return Fail(at, std::string("receiver must be a list or object, not ") + KindName(value));
  if (!key.is_string()) return Fail(at, "cannot access an object property using an integer index");
  if (const Value* part = value.as_object().Find(key.as_string())) return Open(*part, whole.marks);
  return {ContainsUnknowns(value) ? Value(Computed()) : Value(), whole.marks};
}

Datum Evaluator::Of(const GetAttribute& node, Position at, const Scope& scope) {
  const Datum object = Compute(*node.object, scope);
  if (around_.yaml()) return PartInYaml(object, Value(node.name), /*by_name=*/true, at);
  const auto* variable = node.object->as<Variable>();
  const Scope::Entry* entry = variable ? scope.Find(variable->name) : nullptr;
  return AttributeOf(object, node.name, entry && entry->open, at);
}

Datum Evaluator::Of(const GetIndex& node, Position at, const Scope& scope) {
  Datum whole = Compute(*node.collection, scope);
  const Datum key = Compute(*node.key, scope);
  whole.marks.Add(key.marks);
  if (!whole.known() || !key.known()) return Unknown(whole.marks);
  if (around_.yaml()) return PartInYaml(whole, key.value, /*by_name=*/false, at);
  if (whole.value.is_array()) return ElementOf(whole, key.value, at);
  const auto name = ToText(key.value);
  if (!name) return Fail(at, std::string("an index must be a text or a number, not ") + KindName(key.value));
  if (!whole.value.is_object() && !whole.value.is_reference()) {
    return Fail(at, std::string("only lists and objects have an index, not ") + KindName(whole.value));
  }
  return AttributeOf(whole, *name, false, at);
}

Datum Evaluator::Of(const TupleLiteral& node, Position at, const Scope& scope) {
  uint64_t size = 0;
  Array elements;
  for (const ExpressionPtr& element : node.elements) {
    elements.push_back(Close(Compute(*element, scope)));
    Charge(SizeOf(elements.back()), &size, at);
  }
  return {Value(std::move(elements)), {}};
}

std::optional<std::string> Evaluator::KeyOf(const Datum& key, Position at) {
  const auto name = ToText(key.value);
  if (!name) Fail(at, std::string("a key must be a text, not ") + KindName(key.value));
  return name;
}

Datum Evaluator::Of(const ObjectLiteral& node, Position at, const Scope& scope) {
  uint64_t size = 0;
  Marks marks;
  PropertyMap object;
  bool known = true;
  for (const ObjectLiteral::Item& item : node.items) {
    const Datum key = Compute(*item.key, scope);
    Value value = Close(Compute(*item.value, scope));
    marks.Add(key.marks);
    known = known && key.known();
    if (!key.known()) continue;
    const auto name = KeyOf(key, item.key->at);
    Charge(SizeOf(value), &size, at);
    object.Set(name.value_or(""), std::move(value));
  }
  return {known ? Value(std::move(object)) : Value(Computed()), std::move(marks)};
}

// The results of a 'for' so far.
struct Evaluator::ForProduct {
  Position at;
  Marks marks;
  uint64_t size = 0;
  bool known = true;
  Array elements = {};      // of a tuple
  PropertyMap object = {};  // of an object
};

void Evaluator::AddForElement(const For& node, Value key, const Value& element, const Scope& scope,
                              ForProduct* product) {
  Scope inner(&scope);
  inner.Set(node.value_name, Open(element));
  if (!node.key_name.empty()) inner.Set(node.key_name, {std::move(key), {}});
  if (node.condition) {
    const auto wanted = Test(*node.condition, inner, &product->marks);
    product->known = product->known && wanted;
    if (!wanted.value_or(false)) return;
  }
  const Datum value = Compute(*node.value, inner);
  Charge(SizeOf(value.value), &product->size, product->at);
  if (node.key) return AddForEntry(node, inner, Close(value), product);
  product->elements.push_back(Close(value));
}

void Evaluator::AddForEntry(const For& node, const Scope& inner, Value value, ForProduct* product) {
  const Datum key = Compute(*node.key, inner);
  product->marks.Add(key.marks);
  product->known = product->known && key.known();
  const auto name = key.known() ? KeyOf(key, node.key->at) : std::nullopt;
  if (!name) return;
  const Value* before = product->object.Find(*name);
  if (node.group) {
    Array group = before ? before->as_array() : Array();
    group.push_back(std::move(value));
    value = Value(std::move(group));
  } else if (before) {
    Fail(node.key->at, "two elements have the same key: put '...' after the value to keep both");
  }
  product->object.Set(*name, std::move(value));
}

Datum Evaluator::Of(const For& node, Position at, const Scope& scope) {
  Datum collection = Compute(*node.collection, scope);
  if (!node.splat) {
    collection = Expand(std::move(collection), at);
  } else if (collection.value.is_null()) {
    collection.value = Value(Array());
  } else if (collection.known() && !collection.value.is_array()) {
    collection.value = Value(Array{collection.value});
  }
  if (!collection.known()) return collection;
  const Value& value = collection.value;
  ForProduct product{node.splat ? node.collection->at : at, collection.marks};
  if (value.is_array()) {
    double index = 0;
    for (const Value& element : value.as_array()) AddForElement(node, Value(index++), element, scope, &product);
  } else if (value.is_object()) {
    for (const auto& [key, element] : value.as_object()) AddForElement(node, Value(key), element, scope, &product);
  } else {
    return Fail(node.collection->at, std::string("'for' walks over lists and objects, not ") + KindName(value));
  }
  if (!product.known) return Unknown(std::move(product.marks));
  return {node.key ? Value(std::move(product.object)) : Value(std::move(product.elements)), std::move(product.marks)};
}

}  // namespace kingpost::pcl
