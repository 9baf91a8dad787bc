// SPDX-License-Identifier: Apache-2.0
// A value on its way through an expression, and what clings to it: whether it is secret, and which resources it came
// from. Both go from the parts of an expression to its result. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/value.h"

namespace kingpost::pcl {

struct Marks {
  bool secret = false;
  std::vector<Urn> dependencies;

  void Add(const Marks& other);
};

// `value` itself is neither a secret nor an output; its parts may be.
struct Datum {
  Value value;
  Marks marks;

  bool known() const { return !value.is_computed(); }
};

inline Datum Unknown(Marks marks) { return {Value(Computed()), std::move(marks)}; }

// Takes secrets and outputs off the outside of a value.
Datum Open(const Value& value);
// Puts them on again: the form in which a value is part of another one, or leaves the language.
Value Close(const Datum& datum);
// Takes them off everywhere, and tells what they were.
Value OpenDeep(const Value& value, Marks* marks);

// A part of an object; null if the value is another, or has no such part.
inline const Value* Member(const Value& value, std::string_view key) {
  return value.is_object() ? value.as_object().Find(key) : nullptr;
}
// What YAML says of a list without such an element.
std::string OutOfBounds(double index, size_t size);

// As HCL converts without being asked; nullopt if it does not. Never of null, unknown or marked values.
std::optional<std::string> ToText(const Value& value);
std::optional<double> ToNumber(const Value& value);
std::optional<bool> ToBool(const Value& value);
// The shortest decimal text, never with an exponent.
std::string NumberText(double number);
// "a number", "an object": for messages.
const char* KindName(const Value& value);

}  // namespace kingpost::pcl
