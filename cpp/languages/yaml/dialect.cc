// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/dialect.h"

#include <charconv>
#include <cmath>

#include "languages/pcl/builtins.h"

namespace kingpost::yaml {

namespace {

constexpr double kExact = 9007199254740992;  // 2^53: below it each whole number is a double

// People and other programs read account numbers and sizes, so exact numbers have no exponent. Larger numbers are
// written as Go does, because their rounded digits would look exact otherwise.
std::string NumberInTemplate(double number) {
  if (std::abs(number) < kExact) return pcl::NumberText(number);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), number, std::chars_format::scientific);
  return std::string(text, end.ptr);
}

}  // namespace

std::optional<std::string> TextInTemplate(const Value& wrapped) {
  const Value value = pcl::Open(wrapped).value;
  if (value.is_null()) return "<nil>";
  if (value.is_number()) return NumberInTemplate(value.as_number());
  if (value.is_array()) {
    std::string text;
    for (const Value& element : value.as_array()) {
      const auto part = TextInTemplate(element);
      if (!part) return std::nullopt;
      text += (text.empty() ? "" : " ") + *part;
    }
    return "[" + text + "]";
  }
  if (value.is_object()) {
    if (value.as_object().Has("__type")) return std::nullopt;  // a resource
    std::string text;
    for (const auto& [key, element] : value.as_object()) {
      const auto part = TextInTemplate(element);
      if (!part) return std::nullopt;
      text += (text.empty() ? "" : " ") + key + ":" + *part;
    }
    return "map[" + text + "]";
  }
  return pcl::ToText(value);
}

pcl::Dialect YamlDialect() {
  pcl::Dialect dialect;
  dialect.signature = &pcl::Builtin::yaml;
  dialect.text_of = TextInTemplate;
  dialect.lenient = true;
  dialect.raw_arguments = true;
  return dialect;
}

}  // namespace kingpost::yaml
