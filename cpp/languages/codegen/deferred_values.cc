// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/deferred_values.h"

#include <algorithm>

namespace kingpost::codegen {

namespace {

// The part of a list or an object that the text writes out; null if it has none there.
const Expression* FindPart(const Expression& whole, const Value& key) {
  const auto* list = whole.as<TupleLiteral>();
  if (list && key.is_number()) {
    const double index = key.as_number();
    const bool inside = index >= 0 && index < static_cast<double>(list->elements.size());
    return inside ? list->elements[static_cast<size_t>(index)].get() : nullptr;
  }
  const auto* object = whole.as<ObjectLiteral>();
  if (!object || !key.is_string()) return nullptr;
  for (const ObjectLiteral::Item& item : object->items) {
    if (*LiteralText(item.key) == key.as_string()) return item.value.get();
  }
  return nullptr;
}

}  // namespace

DeferredValues::DeferredValues(const Program& program) : program_(program) {
  for (const NamedExpression& variable : program.variables) {
    const Expression& value = *variable.value;
    variables_[variable.name] = {&ResolveValue(value), Is(value), Holds(value)};
  }
}

const Expression& DeferredValues::ResolveValue(const Expression& expression) const {
  if (const Known* known = Find(expression)) return *known->meant;
  const auto step = pcl::LastStepOf(expression);
  const Expression* found = step ? FindPart(ResolveValue(*step->whole), step->key) : nullptr;
  return found ? ResolveValue(*found) : expression;
}

const DeferredValues::Known* DeferredValues::Find(const Expression& expression) const {
  const auto* variable = expression.as<Variable>();
  const auto found = variable ? variables_.find(variable->name) : variables_.end();
  return found == variables_.end() ? nullptr : &found->second;
}

bool DeferredValues::Is(const Expression& expression) const {
  if (const Known* known = Find(expression)) return known->is;
  const Expression& meant = ResolveValue(expression);
  if (meant.as<PropertyRef>() || FindCall(meant, kInvoke)) return true;
  if (FindCall(meant, "secret") || FindCall(meant, "unsecret")) return true;
  if (const auto* setting = meant.as<SettingRef>()) return IsSecret(program_, *setting);
  if (const auto step = pcl::LastStepOf(meant)) return Is(*step->whole);
  return (meant.as<Template>() || meant.as<Call>()) && HoldsAny(pcl::PartsOf(meant));
}

bool DeferredValues::Holds(const Expression& expression) const {
  if (const Known* known = Find(expression)) return known->holds;
  if (Is(expression)) return true;
  const Expression& meant = ResolveValue(expression);
  return (meant.as<TupleLiteral>() || meant.as<ObjectLiteral>()) && HoldsAny(pcl::PartsOf(meant));
}

bool DeferredValues::HoldsAny(const std::vector<ExpressionPtr>& list) const {
  return std::any_of(list.begin(), list.end(), [this](const ExpressionPtr& each) { return Holds(*each); });
}

}  // namespace kingpost::codegen
