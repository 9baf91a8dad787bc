// SPDX-License-Identifier: Apache-2.0
#include "model/secret_sides.h"

#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace kingpost {

namespace {

Value CopySecretMarks(const Value& other, const Value& value);

std::unordered_set<std::string_view> SecretTextsOf(const Array& items) {
  std::unordered_set<std::string_view> texts;
  for (const Value& item : items) {
    if (IsSecret(item) && Unwrapped(item).is_string()) texts.insert(Unwrapped(item).as_string());
  }
  return texts;
}

Value SecretItems(const Array& others, const Array& items) {
  const std::unordered_set<std::string_view> texts = SecretTextsOf(others);
  Array marked = items;
  for (size_t i = 0; i < marked.size(); i++) {
    if (i < others.size()) marked[i] = CopySecretMarks(others[i], marked[i]);
    if (marked[i].is_string() && texts.count(marked[i].as_string()) > 0) marked[i] = Value::Secret(marked[i]);
  }
  return Value(std::move(marked));
}

Value CopySecretMarks(const Value& other, const Value& value) {
  if (IsSecret(value) || !ContainsSecrets(other)) return value;
  if (IsSecret(other)) return Value::Secret(Unwrapped(value));
  const Value &there = Unwrapped(other), &here = Unwrapped(value);
  if (here.is_object() && there.is_object()) return Value(CopySecretMarks(there.as_object(), here.as_object()));
  if (here.is_array() && there.is_array()) return SecretItems(there.as_array(), here.as_array());
  return value;
}

void TakeSecretsOf(const State& other, StatePtr* state) {
  PropertyMap inputs = (*state)->inputs, outputs = (*state)->outputs;
  for (PropertyMap* properties : {&inputs, &outputs}) {
    *properties = CopySecretMarks(other.inputs, *properties);
    *properties = CopySecretMarks(other.outputs, *properties);
  }
  if (inputs.SameAs((*state)->inputs) && outputs.SameAs((*state)->outputs)) return;
  auto marked = std::make_shared<State>(**state);
  marked->inputs = std::move(inputs);
  marked->outputs = std::move(outputs);
  *state = std::move(marked);
}

}  // namespace

bool IsSecret(const Value& value) { return value.is_secret() || (value.is_output() && value.as_output().secret); }

const Value& Unwrapped(const Value& value) {
  if (value.is_secret()) return Unwrapped(value.as_secret().element);
  if (value.is_output() && value.as_output().known) return Unwrapped(value.as_output().element);
  return value;
}

PropertyMap CopySecretMarks(const PropertyMap& other, const PropertyMap& properties) {
  if (properties.empty() || other.SameAs(properties) || !ContainsSecrets(other)) return properties;
  PropertyMap marked = properties;
  for (const auto& [key, value] : properties) {
    const Value* there = other.Find(key);
    Value next = there ? CopySecretMarks(*there, value) : value;
    if (!next.SameAs(value)) marked.Set(key, std::move(next));
  }
  return marked;
}

void ShareSecrets(StatePtr* old_state, StatePtr* new_state) {
  if (!*old_state || !*new_state || *old_state == *new_state) return;
  // The second takes what the first has taken, too: what was equal on both sides is equal afterwards.
  TakeSecretsOf(**new_state, old_state);
  TakeSecretsOf(**old_state, new_state);
}

}  // namespace kingpost
