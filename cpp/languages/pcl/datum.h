// SPDX-License-Identifier: Apache-2.0
// A value on its way through an expression, and what clings to it: whether it is secret, and which resources it came
// from. Both go from the parts of an expression to its result. Any thread.
#pragma once

#include <cstdint>
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

// Takes secrets and outputs off the outside of a value. A part of a marked whole has the marks of the whole, too.
Datum Open(const Value& value, const Marks& whole = {});
// Puts them on again: the form in which a value is part of another one, or leaves the language.
Value Close(const Datum& datum);
// Takes them off everywhere, and tells what they were.
Value OpenDeep(const Value& value, Marks* marks);

// A part of an object; null if the value is another, or has no such part.
inline const Value* Member(const Value& value, std::string_view key) {
  return value.is_object() ? value.as_object().Find(key) : nullptr;
}
// The error of YAML for a list without such an element.
std::string OutOfBounds(double index, size_t size);

// As HCL converts without being asked; nullopt if it does not. Never of null, unknown or marked values.
std::optional<std::string> ToText(const Value& value);
std::optional<double> ToNumber(const Value& value);
std::optional<bool> ToBool(const Value& value);
// The shortest decimal text, never with an exponent.
std::string NumberText(double number);
// "a number", "an object": for messages.
const char* KindName(const Value& value);
// As JSON: keys sorted, and <, > and & escaped, so that the text can stand in HTML. It ends early where it comes to
// more than kValueSizeMax.
std::string ToJson(const Value& value);

// The largest size of a program's value, and of all of them together. Lists share what they refer to, so that a dozen
// lines can describe more values than any memory holds once they are written out.
inline constexpr uint64_t kValueSizeMax = uint64_t{128} << 20;
inline constexpr uint64_t kProgramSizeMax = uint64_t{1} << 30;
inline constexpr uint64_t kScalarSize = 16;  // what any value counts beside its text
inline constexpr char kValueTooLarge[] =
    "this comes to more than 128 MiB of values when all that it refers to is written out";
inline constexpr char kProgramTooLarge[] =
    "with this the values of the program come to more than 1 GiB when all that they refer to is written out";

// The size of a value with all that it refers to; counting stops where that is more than kValueSizeMax.
uint64_t SizeOf(const Value& value);

}  // namespace kingpost::pcl
