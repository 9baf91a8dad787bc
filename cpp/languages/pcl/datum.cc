// SPDX-License-Identifier: Apache-2.0
#include "languages/pcl/datum.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "model/deployment_json.h"
#include "model/json_text.h"

namespace kingpost::pcl {

namespace {

// Stops where it is more than a value may come to.
void AppendJson(const Value& value, std::string* json) {
  if (json->size() > kValueSizeMax) return;
  if (value.is_number() && std::isfinite(value.as_number())) {
    AppendJsonNumber(value.as_number(), json);
  } else if (value.is_bool()) {
    *json += *ToText(value);
  } else if (value.is_string()) {
    AppendJsonStringForHtml(value.as_string(), json);
  } else if (value.is_reference()) {
    AppendJsonStringForHtml(value.as_reference().urn.str(), json);
  } else if (value.is_array()) {
    *json += '[';
    for (const Value& part : value.as_array()) {
      if (&part != &value.as_array().front()) *json += ',';
      AppendJson(part, json);
    }
    *json += ']';
  } else if (value.is_object()) {
    *json += '{';
    for (const Property& part : value.as_object()) {
      if (&part != value.as_object().begin()) *json += ',';
      AppendJsonStringForHtml(part.first, json);
      *json += ':';
      AppendJson(part.second, json);
    }
    *json += '}';
  } else {
    *json += "null";
  }
}

// Adds to `size` what `value` holds, and stops where that is too much.
void Count(const Value& value, uint64_t* size) {
  *size += kScalarSize;
  if (*size > kValueSizeMax) return;
  if (value.is_string()) *size += value.as_string().size();
  if (value.is_asset()) *size += value.as_asset().text.size();
  if (value.is_secret()) Count(value.as_secret().element, size);
  if (value.is_output()) Count(value.as_output().element, size);
  if (value.is_array()) {
    for (const Value& element : value.as_array()) Count(element, size);
  }
  if (value.is_object()) {
    for (const auto& [key, element] : value.as_object()) {
      *size += key.size();
      Count(element, size);
    }
  }
}

}  // namespace

void Marks::Add(const Marks& other) {
  secret = secret || other.secret;
  for (const Urn& urn : other.dependencies) {
    if (std::find(dependencies.begin(), dependencies.end(), urn) == dependencies.end()) dependencies.push_back(urn);
  }
}

Datum Open(const Value& value, const Marks& whole) {
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
  datum.marks.Add(whole);
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

std::string ToJson(const Value& value) {
  std::string json;
  AppendJson(value, &json);
  return json;
}

uint64_t SizeOf(const Value& value) {
  uint64_t size = 0;
  Count(value, &size);
  return size;
}

}  // namespace kingpost::pcl
