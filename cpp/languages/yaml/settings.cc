// SPDX-License-Identifier: Apache-2.0
#include "languages/yaml/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/command_name.h"
#include "base/text.h"
#include "languages/schema/token.h"

namespace kingpost::yaml {

namespace {

constexpr char kTypes[] =
    "string, List<string>, number, List<number>, integer, List<integer>, boolean, List<boolean>, object, List<object>";

bool Fits(const Value& value, const std::string& type) {
  if (type == "string") return value.is_string() || value.is_number() || value.is_bool();
  if (type == "number") return value.is_number();
  if (type == "integer" || type == "int")
    return value.is_number() && std::floor(value.as_number()) == value.as_number();
  if (type == "boolean" || type == "bool") return value.is_bool();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (!type.starts_with("list<") || !value.is_array()) return false;
  const std::string element = type.substr(5, type.size() - 6);
  return std::all_of(value.as_array().begin(), value.as_array().end(),
                     [&](const Value& each) { return Fits(each, element); });
}

// In small letters; "" without a declaration, or without a type in it.
std::string DeclaredType(const Body& body, const std::string& name) {
  for (const ConfigDecl& config : body.config) {
    if ((config.name.empty() ? config.key : config.name) != name) continue;
    return config.type ? Lowered(config.type->value) : "";
  }
  return "";
}

// A text of the configuration as its declared type has it. What the type does not fit is guessed, and told later.
Value ReadAs(const std::string& type, const std::string& text) {
  if (type == "string") return Value(text);
  if (type == "number" || type == "integer" || type == "int") {
    if (const auto number = pcl::ToNumber(Value(text))) return Value(*number);
  }
  Value value = GuessValue(text);
  if (type != "list<string>" || !value.is_array()) return value;
  Array texts;
  for (const Value& element : value.as_array()) {
    const auto as_text = pcl::ToText(element);
    texts.push_back(as_text ? Value(*as_text) : element);
  }
  return Value(std::move(texts));
}

// The value of a declared setting, given or by its default.
Result<pcl::Datum> ValueOf(const ConfigDecl& config, const pcl::Datum* given, const std::string& full_name,
                           pcl::Evaluator* evaluator, const pcl::Scope& scope) {
  if (!config.is_value && !config.type && !config.default_value) {
    return pcl::ErrorAt(config.at, "unable to infer type: either 'default' or 'type' is required");
  }
  if (config.type && !IsConfigType(config.type->value)) {
    return pcl::ErrorAt(config.type->at,
                        "unexpected configuration type '" + config.type->value + "': valid types are " + kTypes);
  }
  const std::string type = config.type ? Lowered(config.type->value) : "";
  if (given) {
    if (type.empty() || !given->known() || Fits(given->value, type)) return *given;
    return pcl::ErrorAt(config.at, "config key \"" + config.key + "\" cannot have conflicting types " + type + ", " +
                                       (given->value.is_object() ? "object" : pcl::KindName(given->value)));
  }
  if (!config.default_value) {
    return pcl::ErrorAt(config.at, "missing required configuration variable '" + full_name + "'; run " +
                                       QuotedCommand("config set " + full_name + " VALUE") + " to set it");
  }
  auto value = evaluator->Evaluate(*config.default_value, scope);
  if (!value.ok() || type.empty()) return value;
  const bool text_wanted = type == "string" && !value->value.is_string();
  if (!text_wanted && Fits(value->value, type)) return value;
  return pcl::ErrorAt(config.at, std::string("type mismatch: default value of type ") + pcl::KindName(value->value) +
                                     " but type " + type + " was specified");
}

}  // namespace

bool IsConfigType(const std::string& given) {
  const std::string type = Lowered(given);
  if (type.starts_with("list<") && type.back() == '>') return IsConfigType(type.substr(5, type.size() - 6));
  for (const char* known : {"string", "bool", "boolean", "number", "int", "integer", "object", "array"}) {
    if (type == known) return true;
  }
  return false;
}

Value GuessValue(const std::string& text) {
  const bool zero_leads = text.size() > 1 && text[0] == '0' && text[1] != '.';
  if (text.empty() || zero_leads) return Value(text);
  for (const char* yes : {"t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return Value(true);
  }
  for (const char* no : {"f", "F", "false", "FALSE", "False"}) {
    if (text == no) return Value(false);
  }
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  double number = 0;
  const auto read = std::from_chars(begin, end, number);
  if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) return Value(number);
  return ValueOfJson(text).value_or(Value(text));
}

std::map<std::string, pcl::Datum> SettingsOf(const Body& body, const DeploymentInfo& info) {
  std::map<std::string, pcl::Datum> settings;
  const std::string space = info.project + ":";
  const auto& secrets = info.config_secret_keys;
  for (const auto& [key, text] : info.config) {
    const std::string name = key.starts_with(space) ? key.substr(space.size()) : key;
    pcl::Datum datum;
    datum.value = ReadAs(DeclaredType(body, name), text);
    datum.marks.secret = std::find(secrets.begin(), secrets.end(), key) != secrets.end();
    settings[name] = std::move(datum);
  }
  return settings;
}

void AddDeclared(const Body& body, const DeploymentInfo& info, const std::map<std::string, pcl::Datum>& settings,
                 pcl::Evaluator* evaluator, pcl::Scope* scope, Diagnostics* diagnostics) {
  for (const ConfigDecl& config : body.config) {
    const std::string& name = config.name.empty() ? config.key : config.name;
    const auto given = settings.find(name);
    const bool is_given = given != settings.end();
    if (config.is_value && !is_given) continue;
    const std::string full_name = name.find(':') == std::string::npos ? info.project + ":" + name : name;
    auto value = ValueOf(config, is_given ? &given->second : nullptr, full_name, evaluator, *scope);
    if (!value.ok()) {
      diagnostics->Add(value.status());
      continue;
    }
    if (config.secret.value_or(false)) value->marks.secret = true;
    scope->Set(info.project + ":" + config.key, *value);
    scope->Set(config.key, std::move(*value));
  }
}

}  // namespace kingpost::yaml
