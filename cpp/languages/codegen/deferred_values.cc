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
    variables_[variable.name] = {&ResolveValue(*variable.value), WrapOf(*variable.value)};
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

DeferredValues::Wrap DeferredValues::WrapOf(const Expression& expression) const {
  if (const Known* known = Find(expression)) return known->wrap;
  const Expression& meant = ResolveValue(expression);
  const auto whole_if = [](bool holds) { return holds ? Wrap::kWhole : Wrap::kNone; };
  if (const auto* setting = meant.as<SettingRef>()) return whole_if(IsSecret(program_, *setting));
  if (const auto step = pcl::LastStepOf(meant)) return whole_if(Is(*step->whole));
  if (const auto* call = meant.as<Call>()) {
    const bool marks = call->function == kInvoke || call->function == "secret" || call->function == "unsecret";
    return whole_if(marks || HoldsAny(call->arguments));
  }
  if (const auto* text = meant.as<Template>()) return whole_if(HoldsAny(text->parts));
  const bool literal = meant.as<TupleLiteral>() || meant.as<ObjectLiteral>();
  if (literal && HoldsAny(pcl::PartsOf(meant))) return Wrap::kParts;
  return whole_if(meant.as<PropertyRef>());
}

bool DeferredValues::HoldsAny(const std::vector<ExpressionPtr>& list) const {
  return std::any_of(list.begin(), list.end(), [this](const ExpressionPtr& each) { return Holds(*each); });
}

}  // namespace kingpost::codegen
