// SPDX-License-Identifier: Apache-2.0
// See config_value.h. Shapes: what is secret, what is text, encryption of all secrets in a value.
#include "workspace/config_value.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/json_access.h"
#include "workspace/yaml_writer.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;

// JSON text with numbers as Go writes them and keys sorted.
std::string DumpConfig(const Json& value) {
  if (value.is_number()) return NumberText(value);
  if (!value.is_structured()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const auto& [key, item] : value.items()) {
    if (!text.empty()) text += ',';
    if (value.is_object()) text += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ":";
    text += DumpConfig(item);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// The value with every secret replaced by what `change` makes of its ciphertext.
Result<Json> ChangeSecrets(const Json& value, const std::function<Result<Json>(const std::string&)>& change) {
  if (IsSecure(value)) return change(TextIn(value["secure"]));
  if (!ContainsSecure(value)) return value;
  Json changed = value;
  for (auto& item : changed) {
    Result<Json> inner = ChangeSecrets(item, change);
    if (!inner.ok()) return inner.status();
    item = std::move(*inner);
  }
  return changed;
}

ConfigValue Flat(const Json& value, bool secret) {
  ConfigValue flat;
  flat.secret = secret;
  flat.object = value.is_structured();
  if (value.is_string()) {
    flat.value = TextIn(value);
  } else if (!value.is_null()) {
    flat.value = DumpConfig(value);
  }
  return flat;
}

}  // namespace

Result<ConfigKey> ConfigKey::Parse(const std::string& text, const std::string& project) {
  const auto colons = std::count(text.begin(), text.end(), ':');
  const size_t first = text.find(':');
  if (colons == 0 && !text.empty()) return ConfigKey{project, text};
  if (colons == 1) return ConfigKey{text.substr(0, first), text.substr(first + 1)};
  if (colons == 2 && text.compare(first, 8, ":config:") == 0) {
    return ConfigKey{text.substr(0, first), text.substr(first + 8)};
  }
  return Status(Code::kInvalidArgument,
                "could not parse " + text +
                    " as a configuration key (configuration keys should be of the form `<namespace>:<name>`)");
}

Json SecureValue(const std::string& ciphertext) { return {{"secure", ciphertext}}; }

bool IsSecure(const Json& value) {
  return value.is_object() && value.size() == 1 && value.contains("secure") && value["secure"].is_string();
}

bool ContainsSecure(const Json& value) {
  return IsSecure(value) || (value.is_structured() && std::any_of(value.begin(), value.end(), ContainsSecure));
}

Json CoerceConfigText(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  if (text.size() > 1 && text[0] == '0') return text;
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+');
  const char* end = text.data() + text.size();
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc() && stop == end && !text.empty()) return number;
  uint64_t large = 0;
  const auto [large_stop, large_error] = std::from_chars(text.data(), end, large);
  if (large_error == std::errc() && large_stop == end && !text.empty()) return large;
  return text;
}

ConfigValue FlattenConfig(const Json& value) {
  if (IsSecure(value)) return {TextIn(value["secure"]), true, false};
  return Flat(value, ContainsSecure(value));
}

Result<ConfigValue> DecryptConfigValue(const Json& value, SecretsManager* manager) {
  const Result<Json> plain = ChangeSecrets(value, [manager](const std::string& ciphertext) -> Result<Json> {
    if (!manager) {
      return Status(Code::kFailedPrecondition,
                    "the stack has secret configuration but no secrets provider; its settings "
                    "lack encryptionsalt, restore that line");
    }
    Result<std::string> text = manager->Decrypt(ciphertext);
    if (!text.ok()) return text.status();
    return Json(std::move(*text));
  });
  if (!plain.ok()) return plain.status();
  return Flat(*plain, ContainsSecure(value));
}

Result<std::map<std::string, ConfigValue>> DecryptConfig(const ConfigMap& config, SecretsManager* manager) {
  std::map<std::string, ConfigValue> plain;
  for (const auto& [key, value] : config) {
    Result<ConfigValue> decrypted = DecryptConfigValue(value, manager);
    if (!decrypted.ok()) {
      // A wrong passphrase is not the key's fault, and programs match on the plain text of it.
      const bool passphrase = decrypted.status().code() == Code::kUnauthenticated;
      return passphrase ? decrypted.status() : decrypted.status().Wrap("configuration key '" + key + "'");
    }
    plain.emplace(key, std::move(*decrypted));
  }
  return plain;
}

Result<ConfigMap> ReencryptConfig(const ConfigMap& config, SecretsManager* from, SecretsManager* to) {
  ConfigMap changed;
  for (const auto& [key, value] : config) {
    Result<Json> inner = ChangeSecrets(value, [from, to](const std::string& ciphertext) -> Result<Json> {
      const Result<std::string> plain = from->Decrypt(ciphertext);
      if (!plain.ok()) return plain.status();
      const Result<std::string> sealed = to->Encrypt(*plain);
      if (!sealed.ok()) return sealed.status();
      return SecureValue(*sealed);
    });
    if (!inner.ok()) return inner.status().Wrap("configuration key '" + key + "'");
    changed.emplace(key, std::move(*inner));
  }
  return changed;
}

}  // namespace kingpost
