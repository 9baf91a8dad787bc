// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/datum.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kingpost::pcl {

void Marks::Add(const Marks& other) {
  secret = secret || other.secret;
  for (const Urn& urn : other.dependencies) {
    if (std::find(dependencies.begin(), dependencies.end(), urn) == dependencies.end()) dependencies.push_back(urn);
  }
}

Datum Open(const Value& value) {
  Datum datum;
  datum.value = value;
  while (datum.value.is_secret() || datum.value.is_output()) {
    const Value outer = datum.value;
    if (outer.is_secret()) {
      datum.marks.secret = true;
      datum.value = outer.as_secret().element;
    } else {
      const OutputData& output = outer.as_output();
      datum.marks.Add({output.secret, output.dependencies});
      datum.value = output.known ? output.element : Value(Computed());
    }
  }
  return datum;
}

Value Close(const Datum& datum) {
  if (datum.marks.dependencies.empty()) return datum.marks.secret ? Value::Secret(datum.value) : datum.value;
  OutputData output;
  output.known = datum.known();
  if (output.known) output.element = datum.value;
  output.secret = datum.marks.secret;
  output.dependencies = datum.marks.dependencies;
  return Value::Output(std::move(output));
}

Value OpenDeep(const Value& value, Marks* marks) {
  return Rewrite(value, [marks](const Value& part) {
    if (!part.is_secret() && !part.is_output()) return part;
    Datum datum = Open(part);
    marks->Add(datum.marks);
    return datum.value;
  });
}

std::string NumberText(double number) {
  if (number == 0) return "0";
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  char text[400];  // the longest double has about 330 digits
  const auto end = std::to_chars(text, text + sizeof(text), number, std::chars_format::fixed);
  return std::string(text, end.ptr);
}

std::optional<std::string> ToText(const Value& value) {
  if (value.is_string()) return value.as_string();
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_number()) return NumberText(value.as_number());
  return std::nullopt;
}

std::optional<double> ToNumber(const Value& value) {
  if (value.is_number()) return value.as_number();
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.as_string();
  double number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size() && std::isfinite(number);
  return whole ? std::optional<double>(number) : std::nullopt;
}

std::optional<bool> ToBool(const Value& value) {
  if (value.is_bool()) return value.as_bool();
  if (!value.is_string()) return std::nullopt;
  if (value.as_string() == "true") return true;
  if (value.as_string() == "false") return false;
  return std::nullopt;
}

std::string OutOfBounds(double index, size_t size) {
  return "list index " + NumberText(index) + " out-of-bounds for list of length " + std::to_string(size);
}

const char* KindName(const Value& value) {
  // In the order of Value::Kind.
  static constexpr const char* kNames[] = {"null",
                                           "a bool",
                                           "a number",
                                           "a text",
                                           "a list",
                                           "an object",
                                           "an asset",
                                           "an archive",
                                           "a secret",
                                           "an output",
                                           "a value not known yet",
                                           "a resource"};
  static_assert(std::size(kNames) == static_cast<size_t>(Value::Kind::kReference) + 1);
  return kNames[static_cast<size_t>(value.kind())];
}

}  // namespace kingpost::pcl
