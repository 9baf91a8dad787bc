// SPDX-License-Identifier: Apache-2.0
#include "languages/codegen/deferred_values.h"

#include <algorithm>

namespace kingpost::codegen {

namespace {

// The part of a list or an object that the text writes out; null if it has none there.
const Expression* FindPart(const Expression& whole, const Value& key) {
  const auto* list = std::get_if<ListOf>(&whole.node);
  if (list && key.is_number()) {
    const double index = key.as_number();
    const bool inside = index >= 0 && index < static_cast<double>(list->elements.size());
    return inside ? list->elements[static_cast<size_t>(index)].get() : nullptr;
  }
  const auto* object = std::get_if<ObjectOf>(&whole.node);
  if (!object || !key.is_string()) return nullptr;
  for (const Field& field : object->fields) {
    if (field.name == key.as_string()) return field.value.get();
  }
  return nullptr;
}

}  // namespace

DeferredValues::DeferredValues(const Program& program) {
  for (const Setting& setting : program.settings) secrets_[setting.name] = setting.secret;
  for (const Variable& variable : program.variables) {
    const Expression& value = *variable.value;
    variables_[variable.name] = {variable.value, &Meant(value), Is(value), Holds(value)};
  }
}

const Expression& DeferredValues::Meant(const Expression& expression) const {
  if (const Known* known = Find(expression)) return *known->meant;
  const auto* part = std::get_if<PartOf>(&expression.node);
  const Expression* found = part ? FindPart(Meant(*part->whole), part->key) : nullptr;
  return found ? Meant(*found) : expression;
}

const DeferredValues::Known* DeferredValues::Find(const Expression& expression) const {
  const auto* variable = std::get_if<VariableRef>(&expression.node);
  const auto found = variable ? variables_.find(variable->name) : variables_.end();
  return found == variables_.end() ? nullptr : &found->second;
}

bool DeferredValues::Is(const Expression& expression) const {
  if (const Known* known = Find(expression)) return known->is;
  const auto& node = Meant(expression).node;
  if (std::holds_alternative<PropertyRef>(node) || std::holds_alternative<InvokeOf>(node)) return true;
  if (const auto* setting = std::get_if<SettingRef>(&node)) {
    const auto found = secrets_.find(setting->name);
    return found != secrets_.end() && found->second;
  }
  if (const auto* part = std::get_if<PartOf>(&node)) return Is(*part->whole);
  if (const auto* text = std::get_if<JoinedText>(&node)) return Holds(text->parts);
  if (const auto* asset = std::get_if<AssetOf>(&node)) return Holds(*asset->content);
  if (const auto* archive = std::get_if<ArchiveOf>(&node)) {
    return archive->kind == ArchiveData::Kind::kAssets ? Holds(archive->assets) : Holds(*archive->content);
  }
  const auto* call = std::get_if<CallOf>(&node);
  if (!call) return false;
  const bool marks = call->function == CallOf::Function::kSecret || call->function == CallOf::Function::kUnsecret;
  return marks || Holds(call->arguments);
}

bool DeferredValues::Holds(const Expression& expression) const {
  if (const Known* known = Find(expression)) return known->holds;
  if (Is(expression)) return true;
  const auto& node = Meant(expression).node;
  if (const auto* list = std::get_if<ListOf>(&node)) return Holds(list->elements);
  const auto* object = std::get_if<ObjectOf>(&node);
  return object && Holds(object->fields);
}

bool DeferredValues::Holds(const std::vector<ExpressionPtr>& list) const {
  return std::any_of(list.begin(), list.end(), [this](const ExpressionPtr& each) { return Holds(*each); });
}

bool DeferredValues::Holds(const std::vector<Field>& fields) const {
  return std::any_of(fields.begin(), fields.end(), [this](const Field& field) { return Holds(*field.value); });
}

}  // namespace kingpost::codegen
