// SPDX-License-Identifier: Apache-2.0
// Lists and objects: making them, looking into them, walking over them.
#include <cmath>

#include "languages/pcl/evaluator.h"
#include "languages/pcl/size_budget.h"

namespace kingpost::pcl {

namespace {

// The part of a marked whole.
Datum PartOf(const Datum& whole, const Value& part) {
  Datum datum = Open(part);
  datum.marks.Add(whole.marks);
  return datum;
}

Result<Datum> ElementOf(const Datum& list, const Value& key, Position at) {
  const auto number = ToNumber(key);
  if (!number || *number != std::floor(*number)) return ErrorAt(at, "the index of a list must be a whole number");
  const Array& elements = list.value.as_array();
  if (*number < 0 || *number >= static_cast<double>(elements.size())) {
    return ErrorAt(at, "the list has no such element: it has " + std::to_string(elements.size()));
  }
  return PartOf(list, elements[static_cast<size_t>(*number)]);
}

}  // namespace

Result<Datum> Evaluator::Expand(Datum datum, Position at) {
  if (!datum.value.is_reference()) return datum;
  const ResourceReference reference = datum.value.as_reference();
  Effect effect;
  effect.invoke.token = "pulumi:pulumi:getResource";
  effect.invoke.args.Set("urn", Value(reference.urn.str()));
  const Result<EffectAnswer>* answer = effects_.Ask(std::move(effect));
  if (!answer) return ErrorAt(at, "stopped");
  if (!answer->ok()) return ErrorAt(at, "reading " + reference.urn.str() + ": " + answer->status().message());
  const Value* state = (*answer)->result.Find("state");
  PropertyMap outputs = state && state->is_object() ? state->as_object() : PropertyMap();
  outputs.Set("urn", Value(reference.urn.str()));
  outputs.Set("id", reference.id ? *reference.id : Value(""));
  outputs.Set("__name", Value(reference.urn.name()));
  outputs.Set("__type", Value(reference.urn.type()));
  // A value that is read of the resource depends on it, and not only on the component that named it.
  Datum expanded{Value(std::move(outputs)), std::move(datum.marks)};
  expanded.marks.Add({false, {reference.urn}});
  return expanded;
}

Result<Datum> Evaluator::AttributeOf(const Datum& whole, const std::string& name, bool open, Position at) {
  auto object = Expand(whole, at);
  if (!object.ok()) return object.status();
  if (!object->known()) return Unknown(object->marks);
  if (!object->value.is_object()) {
    return ErrorAt(at, "only objects have attributes; '." + name + "' was asked of " + KindName(object->value));
  }
  const Value* part = object->value.as_object().Find(name);
  if (part) return PartOf(*object, *part);
  if (open) return Unknown(object->marks);
  return ErrorAt(at, "there is no attribute '" + name + "'");
}

Result<Datum> Evaluator::LenientPart(const Datum& whole, const Value& key, bool by_name, Position at) {
  auto expanded = Expand(whole, at);
  if (!expanded.ok()) return expanded.status();
  if (!expanded->known()) return Unknown(expanded->marks);
  const Value& value = expanded->value;
  if (value.is_array()) {
    if (by_name || !key.is_number()) return ErrorAt(at, "cannot access a list element using a property name");
    const size_t size = value.as_array().size();
    if (key.as_number() >= 0 && key.as_number() < static_cast<double>(size)) {
      return PartOf(*expanded, value.as_array()[static_cast<size_t>(key.as_number())]);
    }
    return ErrorAt(
        at, "list index " + NumberText(key.as_number()) + " out-of-bounds for list of length " + std::to_string(size));
  }
  if (!value.is_object()) {
    return ErrorAt(at, std::string("receiver must be a list or object, not ") + KindName(value));
  }
  if (!key.is_string()) return ErrorAt(at, "cannot access an object property using an integer index");
  const Value* part = value.as_object().Find(key.as_string());
  if (part) return PartOf(*expanded, *part);
  if (ContainsUnknowns(value)) return Unknown(expanded->marks);
  return Datum{Value(), expanded->marks};
}

Result<Datum> Evaluator::EvaluateAttribute(const GetAttribute& node, Position at, const Scope& scope) {
  auto object = Evaluate(*node.object, scope);
  if (!object.ok()) return object.status();
  if (around_.dialect.lenient) return LenientPart(*object, Value(node.name), /*by_name=*/true, at);
  const auto* variable = node.object->as<Variable>();
  const Scope::Entry* entry = variable ? scope.Find(variable->name) : nullptr;
  return AttributeOf(*object, node.name, entry && entry->open, at);
}

Result<Datum> Evaluator::EvaluateIndex(const GetIndex& node, Position at, const Scope& scope) {
  auto whole = Evaluate(*node.collection, scope);
  if (!whole.ok()) return whole.status();
  auto key = Evaluate(*node.key, scope);
  if (!key.ok()) return key.status();
  whole->marks.Add(key->marks);
  if (!whole->known() || !key->known()) return Unknown(whole->marks);
  if (around_.dialect.lenient) return LenientPart(*whole, key->value, /*by_name=*/false, at);
  if (whole->value.is_array()) return ElementOf(*whole, key->value, at);
  const auto name = ToText(key->value);
  if (!name) return ErrorAt(at, std::string("an index must be a text or a number, not ") + KindName(key->value));
  if (!whole->value.is_object() && !whole->value.is_reference()) {
    return ErrorAt(at, std::string("only lists and objects have an index, not ") + KindName(whole->value));
  }
  return AttributeOf(*whole, *name, false, at);
}

// A single value becomes a list of it, null an empty list.
Result<Datum> Evaluator::EvaluateSplat(const Splat& node, const Scope& scope) {
  auto source = Evaluate(*node.source, scope);
  if (!source.ok()) return source.status();
  if (!source->known()) return Unknown(source->marks);
  Array elements;
  if (source->value.is_array()) {
    elements = source->value.as_array();
  } else if (!source->value.is_null()) {
    elements = {source->value};
  }
  SizeBudget budget(node.source->at, &size_);
  Array results;
  for (const Value& element : elements) {
    Scope inner(&scope);
    inner.Set(kElement, Open(element));
    auto result = Evaluate(*node.each, inner);
    if (!result.ok()) return result.status();
    results.push_back(Close(*result));
    KP_TRY(budget.Add(results.back()));
  }
  return Datum{Value(std::move(results)), source->marks};
}

Result<Datum> Evaluator::EvaluateTuple(const TupleLiteral& node, Position at, const Scope& scope) {
  SizeBudget budget(at, &size_);
  Array elements;
  for (const ExpressionPtr& element : node.elements) {
    auto value = Evaluate(*element, scope);
    if (!value.ok()) return value.status();
    elements.push_back(Close(*value));
    KP_TRY(budget.Add(elements.back()));
  }
  return Datum{Value(std::move(elements)), {}};
}

Result<Datum> Evaluator::EvaluateObject(const ObjectLiteral& node, Position at, const Scope& scope) {
  SizeBudget budget(at, &size_);
  Datum result;
  PropertyMap object;
  bool known = true;
  for (const ObjectLiteral::Item& item : node.items) {
    auto key = Evaluate(*item.key, scope);
    if (!key.ok()) return key.status();
    auto value = Evaluate(*item.value, scope);
    if (!value.ok()) return value.status();
    result.marks.Add(key->marks);
    if (!key->known()) {
      known = false;
      continue;
    }
    const auto name = ToText(key->value);
    if (!name) return ErrorAt(item.key->at, std::string("a key must be a text, not ") + KindName(key->value));
    Value closed = Close(*value);
    KP_TRY(budget.Add(closed));
    object.Set(*name, std::move(closed));
  }
  result.value = known ? Value(std::move(object)) : Value(Computed());
  return result;
}

// The results of a 'for' so far.
struct Evaluator::ForProduct {
  ForProduct(Position at, ProgramSize* program) : budget(at, program) {}

  SizeBudget budget;
  Marks marks;
  bool known = true;
  Array elements;      // of a tuple
  PropertyMap object;  // of an object
  std::string text;    // of a template

  Datum Take(const For& node) {
    if (!known) return Unknown(std::move(marks));
    if (node.join) return {Value(std::move(text)), std::move(marks)};
    if (node.key) return {Value(std::move(object)), std::move(marks)};
    return {Value(std::move(elements)), std::move(marks)};
  }
};

Status Evaluator::AddForValue(const For& node, const Scope& inner, ForProduct* product) {
  if (node.condition) {
    bool decided = false;
    auto wanted = EvaluateBool(*node.condition, inner, &product->marks, &decided);
    if (!wanted.ok()) return wanted.status();
    product->known = product->known && decided;
    if (!*wanted) return Status();
  }
  auto value = Evaluate(*node.value, inner);
  if (!value.ok()) return value.status();
  KP_TRY(product->budget.Add(value->value));
  if (node.join) {
    product->marks.Add(value->marks);
    product->known = product->known && value->known();
    if (value->known()) product->text += value->value.as_string();  // a template's
    return Status();
  }
  if (node.key) return AddForEntry(node, inner, Close(*value), product);
  product->elements.push_back(Close(*value));
  return Status();
}

Status Evaluator::AddForEntry(const For& node, const Scope& inner, Value value, ForProduct* product) {
  auto key = Evaluate(*node.key, inner);
  if (!key.ok()) return key.status();
  product->marks.Add(key->marks);
  product->known = product->known && key->known();
  if (!key->known()) return Status();
  const auto name = ToText(key->value);
  if (!name) return ErrorAt(node.key->at, std::string("a key must be a text, not ") + KindName(key->value));
  const Value* before = product->object.Find(*name);
  if (node.group) {
    Array group = before ? before->as_array() : Array();
    group.push_back(std::move(value));
    product->object.Set(*name, Value(std::move(group)));
    return Status();
  }
  if (before) {
    return ErrorAt(node.key->at, "two elements have the same key: put '...' after the value to keep both");
  }
  product->object.Set(*name, std::move(value));
  return Status();
}

Result<Datum> Evaluator::EvaluateFor(const For& node, Position at, const Scope& scope) {
  auto given = Evaluate(*node.collection, scope);
  if (!given.ok()) return given.status();
  auto collection = Expand(*given, at);
  if (!collection.ok()) return collection.status();
  ForProduct product(at, &size_);
  product.marks = collection->marks;
  product.known = collection->known();
  if (!product.known) return product.Take(node);
  const bool list = collection->value.is_array();
  if (!list && !collection->value.is_object()) {
    return ErrorAt(node.collection->at,
                   std::string("'for' walks over lists and objects, not ") + KindName(collection->value));
  }
  const auto visit = [&](Value key, const Value& value) {
    Scope inner(&scope);
    inner.Set(node.value_name, Open(value));
    if (!node.key_name.empty()) inner.Set(node.key_name, {std::move(key), {}});
    return AddForValue(node, inner, &product);
  };
  if (list) {
    double index = 0;
    for (const Value& element : collection->value.as_array()) {
      Status added = visit(Value(index++), element);
      if (!added.ok()) return added;
    }
  } else {
    for (const Property& item : collection->value.as_object()) {
      Status added = visit(Value(item.first), item.second);
      if (!added.ok()) return added;
    }
  }
  return product.Take(node);
}

}  // namespace kingpost::pcl
