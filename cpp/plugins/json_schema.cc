// SPDX-License-Identifier: Apache-2.0
#include "plugins/json_schema.h"

#include <re2/re2.h>

#include <cmath>

#include "base/json_access.h"

namespace kingpost {

namespace {

using nlohmann::json;

bool IsInteger(const json& value) {
  return value.is_number_integer() || (value.is_number_float() && std::floor(NumberIn(value)) == NumberIn(value));
}

bool HasType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  return type == "integer" && IsInteger(value);
}

std::string TypeName(const json& value) {
  if (IsInteger(value)) return "integer";
  return value.is_number() ? "number" : value.type_name();
}

class Validator {
 public:
  void Check(const json& schema, const json& value, const std::string& field);
  std::vector<std::string> Take() { return std::move(errors_); }

 private:
  void Fail(const std::string& field, const std::string& what) {
    errors_.push_back(field.empty() ? what : field + ": " + what);
  }
  static std::string NameOf(const std::string& field) { return field.empty() ? "the value" : field; }

  bool CheckType(const json& schema, const json& value, const std::string& field);
  void CheckEnum(const json& schema, const json& value, const std::string& field);
  void CheckObject(const json& schema, const json& value, const std::string& field);
  void CheckArray(const json& schema, const json& value, const std::string& field);
  void CheckString(const json& schema, const std::string& text, const std::string& field);
  void CheckNumber(const json& schema, double number, const std::string& field);
  void CheckCombinations(const json& schema, const json& value, const std::string& field);

  std::vector<std::string> errors_;
};

bool Matches(const json& schema, const json& value) { return ValidateJson(schema, value).empty(); }

void Validator::Check(const json& schema, const json& value, const std::string& field) {
  if (schema.is_boolean()) {
    if (!BoolIn(schema)) Fail(field, NameOf(field) + " is not allowed");
    return;
  }
  if (!schema.is_object() || !CheckType(schema, value, field)) return;
  CheckEnum(schema, value, field);
  if (value.is_object()) CheckObject(schema, value, field);
  if (value.is_array()) CheckArray(schema, value, field);
  if (value.is_string()) CheckString(schema, TextIn(value), field);
  if (value.is_number()) CheckNumber(schema, NumberIn(value), field);
  CheckCombinations(schema, value, field);
}

bool Validator::CheckType(const json& schema, const json& value, const std::string& field) {
  auto type = schema.find("type");
  if (type == schema.end()) return true;
  const json types = type->is_array() ? *type : json::array({*type});
  std::string expected;
  for (const json& name : types) {
    if (name.is_string() && HasType(value, TextIn(name))) return true;
    if (name.is_string()) expected += (expected.empty() ? "" : "/") + TextIn(name);
  }
  Fail(field, "Invalid type. Expected: " + expected + ", given: " + TypeName(value));
  return false;
}

void Validator::CheckEnum(const json& schema, const json& value, const std::string& field) {
  if (auto constant = schema.find("const"); constant != schema.end() && *constant != value) {
    Fail(field, NameOf(field) + " does not match: " + constant->dump());
  }
  auto choices = schema.find("enum");
  if (choices == schema.end() || !choices->is_array()) return;
  std::string list;
  for (const json& choice : *choices) {
    if (choice == value) return;
    list += (list.empty() ? "" : ", ") + choice.dump();
  }
  Fail(field, NameOf(field) + " must be one of the following: " + list);
}

void Validator::CheckObject(const json& schema, const json& value, const std::string& field) {
  const json required = ListOf(schema, "required");
  for (const json& name : required) {
    if (name.is_string() && !value.contains(TextIn(name))) {
      Fail(field, TextIn(name) + " is required");
    }
  }
  const json properties = ObjectOf(schema, "properties");
  const json additional = schema.contains("additionalProperties") ? schema["additionalProperties"] : json(true);
  for (auto it = value.begin(); it != value.end(); ++it) {
    const std::string inner = field.empty() ? it.key() : field + "." + it.key();
    if (auto property = properties.find(it.key()); property != properties.end()) {
      Check(*property, it.value(), inner);
    } else if (additional == json(false)) {
      Fail(field, "Additional property " + it.key() + " is not allowed");
    } else {
      Check(additional, it.value(), inner);
    }
  }
}

void Validator::CheckArray(const json& schema, const json& value, const std::string& field) {
  if (static_cast<int64_t>(value.size()) < IntegerOf(schema, "minItems")) {
    Fail(field, "Array must have at least " + schema["minItems"].dump() + " items");
  }
  if (auto most = schema.find("maxItems");
      most != schema.end() && static_cast<int64_t>(value.size()) > IntegerIn(*most)) {
    Fail(field, "Array must have at most " + most->dump() + " items");
  }
  if (BoolOf(schema, "uniqueItems")) {
    for (size_t i = 0; i < value.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (value[i] == value[j])
          Fail(field, "array items[" + std::to_string(j) + "," + std::to_string(i) + "] must be unique");
      }
    }
  }
  auto items = schema.find("items");
  for (size_t i = 0; items != schema.end() && i < value.size(); ++i) {
    Check(*items, value[i], field + "." + std::to_string(i));
  }
}

void Validator::CheckString(const json& schema, const std::string& text, const std::string& field) {
  const auto characters = std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; });
  if (characters < IntegerOf(schema, "minLength")) {
    Fail(field, "String length must be greater than or equal to " + schema["minLength"].dump());
  }
  if (auto most = schema.find("maxLength"); most != schema.end() && characters > IntegerIn(*most)) {
    Fail(field, "String length must be less than or equal to " + most->dump());
  }
  auto pattern = schema.find("pattern");
  if (pattern == schema.end() || !pattern->is_string()) return;
  const RE2 expression(TextIn(*pattern), RE2::Quiet);
  if (!expression.ok()) {
    Fail(field, "the schema's pattern '" + TextIn(*pattern) + "' is not a regular expression");
  } else if (!RE2::PartialMatch(text, expression)) {
    Fail(field, "Does not match pattern '" + TextIn(*pattern) + "'");
  }
}

void Validator::CheckNumber(const json& schema, double number, const std::string& field) {
  const auto limit = [&](const char* keyword, auto holds, const char* words) {
    auto bound = schema.find(keyword);
    if (bound == schema.end() || !bound->is_number() || holds(NumberIn(*bound))) return;
    Fail(field, std::string("Must be ") + words + " " + bound->dump());
  };
  limit(
      "minimum", [&](double bound) { return number >= bound; }, "greater than or equal to");
  limit(
      "maximum", [&](double bound) { return number <= bound; }, "less than or equal to");
  limit(
      "exclusiveMinimum", [&](double bound) { return number > bound; }, "greater than");
  limit(
      "exclusiveMaximum", [&](double bound) { return number < bound; }, "less than");
  limit(
      "multipleOf", [&](double step) { return step > 0 && std::fmod(number, step) == 0; }, "a multiple of");
}

void Validator::CheckCombinations(const json& schema, const json& value, const std::string& field) {
  const auto count = [&](const char* keyword) {
    size_t matches = 0;
    for (const json& option : schema[keyword]) matches += Matches(option, value) ? 1 : 0;
    return matches;
  };
  const auto has = [&](const char* keyword) { return schema.contains(keyword) && schema[keyword].is_array(); };
  if (has("allOf") && count("allOf") < schema["allOf"].size()) Fail(field, "Must validate all the schemas (allOf)");
  if (has("anyOf") && count("anyOf") == 0) Fail(field, "Must validate at least one schema (anyOf)");
  if (has("oneOf") && count("oneOf") != 1) Fail(field, "Must validate one and only one schema (oneOf)");
  if (schema.contains("not") && Matches(schema["not"], value)) Fail(field, "Must not validate the schema (not)");
}

}  // namespace

std::vector<std::string> ValidateJson(const json& schema, const json& value) {
  Validator validator;
  validator.Check(schema, value, "");
  return validator.Take();
}

}  // namespace kingpost
