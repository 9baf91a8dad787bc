// SPDX-License-Identifier: Apache-2.0
// The one way to read JSON and YAML that others wrote: what is missing or of another kind than expected reads as
// nothing, and no access throws. The library's own accessors do; an exception in a coroutine would end the process
// (tests/cpp/layering keeps them out of all other files). Pure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kingpost {

// Documents nest no deeper than this: the library writes and copies values by recursion.
inline constexpr int kJsonNestingMax = 1000;

// The value, or one that is_discarded(), which has no kind: the text is not JSON, or nests too deep.
nlohmann::json ParseJson(std::string_view text);
nlohmann::ordered_json ParseOrderedJson(std::string_view text);
bool NestsTooDeep(std::string_view json, int levels_max = kJsonNestingMax);

// A value as what it is expected to be; "", 0 or false if it is of another kind.
template <class AnyJson>
std::string TextIn(const AnyJson& value) {
  return value.is_string() ? *value.template get_ptr<const std::string*>() : std::string();
}
template <class AnyJson>
bool BoolIn(const AnyJson& value) {
  return value.is_boolean() && *value.template get_ptr<const bool*>();
}
template <class AnyJson>
double NumberIn(const AnyJson& value) {
  if (value.is_number_unsigned()) return static_cast<double>(*value.template get_ptr<const uint64_t*>());
  if (value.is_number_integer()) return static_cast<double>(*value.template get_ptr<const int64_t*>());
  return value.is_number_float() ? *value.template get_ptr<const double*>() : 0;
}
// Beyond the range: 0.
template <class AnyJson>
int64_t IntegerIn(const AnyJson& value) {
  if (value.is_number_unsigned()) {
    const uint64_t number = *value.template get_ptr<const uint64_t*>();
    return number <= INT64_MAX ? static_cast<int64_t>(number) : 0;
  }
  if (value.is_number_integer()) return *value.template get_ptr<const int64_t*>();
  const double number = NumberIn(value);
  return number > -9e18 && number < 9e18 ? static_cast<int64_t>(number) : 0;
}

// The field of an object; null if there is none, or if `object` is none.
template <class AnyJson>
const AnyJson* FieldOf(const AnyJson& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(name));
  return found == object.end() ? nullptr : &*found;
}
template <class AnyJson>
std::string TextOf(const AnyJson& object, std::string_view name) {
  const AnyJson* field = FieldOf(object, name);
  return field ? TextIn(*field) : std::string();
}
template <class AnyJson>
bool BoolOf(const AnyJson& object, std::string_view name, bool otherwise = false) {
  const AnyJson* field = FieldOf(object, name);
  return field && field->is_boolean() ? BoolIn(*field) : otherwise;
}
template <class AnyJson>
int64_t IntegerOf(const AnyJson& object, std::string_view name) {
  const AnyJson* field = FieldOf(object, name);
  return field ? IntegerIn(*field) : 0;
}
// An empty list or object if there is none.
template <class AnyJson>
AnyJson ListOf(const AnyJson& object, std::string_view name) {
  const AnyJson* field = FieldOf(object, name);
  return field && field->is_array() ? *field : AnyJson::array();
}
template <class AnyJson>
AnyJson ObjectOf(const AnyJson& object, std::string_view name) {
  const AnyJson* field = FieldOf(object, name);
  return field && field->is_object() ? *field : AnyJson::object();
}

}  // namespace kingpost
