// SPDX-License-Identifier: Apache-2.0
// Configuration values: texts, numbers and structures in which secrets stand as {"secure": CIPHERTEXT}.
//
// A value is kept as the JSON that its file says; a ConfigValue (plain_config.h) is what the engine and programs get.
// Any thread; values.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "kingpost/secrets_manager.h"
#include "model/property_path.h"
#include "workspace/plain_config.h"

namespace kingpost {

// NAMESPACE:NAME, the namespace usually being the project.
struct ConfigKey {
  std::string space, name;

  // A key without a colon belongs to the project. NAMESPACE:config:NAME is an old form of NAMESPACE:NAME.
  static Result<ConfigKey> Parse(const std::string& text, const std::string& project);
  std::string str() const { return space + ":" + name; }
};

// By full key. The raw form, as in the file and with ciphertexts.
using ConfigMap = std::map<std::string, nlohmann::json>;

nlohmann::json SecureValue(const std::string& ciphertext);  // {"secure": ciphertext}
bool IsSecure(const nlohmann::json& value);
bool ContainsSecure(const nlohmann::json& value);

// "true", "false" and decimal integers without leading zeros become what they say; for values set by --path.
nlohmann::json CoerceConfigText(const std::string& text);

// Ciphertexts stay: {value of the secret: ciphertext}.
ConfigValue FlattenConfig(const nlohmann::json& value);
// Secrets in clear. An object keeps its shape, its secrets become plain strings in it.
Result<ConfigValue> DecryptConfigValue(const nlohmann::json& value, SecretsManager* manager);
// As the engine and PULUMI_CONFIG need it. manager may be null if nothing is secret.
Result<std::map<std::string, ConfigValue>> DecryptConfig(const ConfigMap& config, SecretsManager* manager);
// Every secret encrypted anew by another manager, for a changed passphrase or a copied stack.
Result<ConfigMap> ReencryptConfig(const ConfigMap& config, SecretsManager* from, SecretsManager* to);

// If `path`, the name of the key is a property path such as a.b[0] or a["k.x"], whose first part is the key.
Result<std::optional<nlohmann::json>> GetConfig(const ConfigMap& config, const ConfigKey& key, bool path);
Status SetConfig(ConfigMap* config, const ConfigKey& key, const nlohmann::json& value, bool path);
Status RemoveConfig(ConfigMap* config, const ConfigKey& key, bool path);

}  // namespace kingpost
