// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/dialect.h"

#include <charconv>
#include <cstdlib>

#include "languages/pcl/builtins.h"

namespace kingpost::yaml {

namespace {

// %v of a number: 250000, 1e+06, 0.25.
std::string GoNumber(double number) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), number, std::chars_format::scientific);
  const std::string scientific(text, end.ptr);
  const size_t e = scientific.find('e');
  const int exponent = e == std::string::npos ? 0 : std::atoi(scientific.c_str() + e + 1);
  return exponent < -4 || exponent >= 6 ? scientific : pcl::NumberText(number);
}

}  // namespace

std::optional<std::string> TextInTemplate(const Value& wrapped) {
  const Value value = pcl::Open(wrapped).value;
  if (value.is_null()) return "<nil>";
  if (value.is_number()) return GoNumber(value.as_number());
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
