// SPDX-License-Identifier: Apache-2.0
// Constants and defaults as expressions.
#include <algorithm>

#include "base/encoding.h"
#include "languages/sdkgen/python_generator.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

std::string PythonQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'') {
      quoted += std::string("\\") + c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (byte < ' ' || byte == 0x7f) {
      quoted += "\\x" + HexEncode(std::string_view(&c, 1));
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string Getter(const schema::Type& type) {
  switch (type.kind) {
    case schema::Type::Kind::kBool:
      return "_utilities.get_env_bool";
    case schema::Type::Kind::kInteger:
      return "_utilities.get_env_int";
    case schema::Type::Kind::kNumber:
      return "_utilities.get_env_float";
    default:
      return "_utilities.get_env";
  }
}

}  // namespace

std::string PythonConstant(const schema::Constant& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return PythonQuoted(*text);
  if (const auto* number = std::get_if<double>(&value)) return NumberText(*number);
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  return std::get<bool>(value) ? "True" : "False";
}

std::string PythonDefault(const schema::DefaultValue& value, const schema::Type& type) {
  const std::string constant = value.value ? PythonConstant(*value.value) : "";
  if (value.environment.empty()) return constant.empty() ? "None" : constant;
  std::vector<std::string> names;
  for (const std::string& name : value.environment) names.push_back(PythonQuoted(name));
  const std::string read = Getter(type) + "(" + Joined(names, ", ") + ")";
  return constant.empty() ? read : "(" + read + " or " + constant + ")";
}

schema::Properties RequiredFirst(schema::Properties properties) {
  std::stable_sort(properties.begin(), properties.end(), [](const schema::Property& a, const schema::Property& b) {
    return a.required != b.required ? a.required : a.name < b.name;
  });
  return properties;
}

}  // namespace kingpost::sdkgen
