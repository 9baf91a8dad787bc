// SPDX-License-Identifier: Apache-2.0
#include "bindings/run_config.h"

#include "operation/settings_secrets.h"
#include "workspace/project_config.h"

namespace kingpost::python {

ConfigMap SealedConfig(const std::map<std::string, ConfigValue>& config, SecretsManager& secrets) {
  ConfigMap sealed;
  for (const auto& [key, value] : config) {
    if (!value.secret) {
      sealed[key] = value.value;
    } else if (const Result<std::string> ciphertext = secrets.Encrypt(value.value); ciphertext.ok()) {
      sealed[key] = SecureValue(*ciphertext);
    }
  }
  return sealed;
}

Result<std::map<std::string, ConfigValue>> ProjectConfig(const ProjectSettings& settings,
                                                         const LoadedOperation& loaded) {
  const std::string& stack = loaded.stack().name;
  std::shared_ptr<SecretsManager> secrets = loaded.secrets;
  if (settings.file.HasSecrets()) {
    Result<std::shared_ptr<SecretsManager>> own = SecretsOfSettings(&settings.file, settings.passphrase, stack);
    if (!own.ok()) return own.status();
    if (*own) secrets = std::move(*own);
  }
  ConfigMap raw = settings.file.config();
  for (auto& [key, value] : SealedConfig(settings.given.config, *secrets)) raw[key] = value;
  const bool validate = settings.given.options.run_program;
  Result<ConfigMap> merged = MergeProjectConfig(settings.project, stack, std::move(raw), validate);
  if (!merged.ok()) return merged.status();
  auto plain = DecryptConfig(*merged, secrets.get());
  if (!plain.ok()) return plain.status().Wrap("could not decrypt the configuration in " + settings.file.file());
  if (validate) {
    const Status valid = ValidateProjectConfig(settings.project, stack, *merged, *plain);
    if (!valid.ok()) return valid;
  }
  return plain;
}

}  // namespace kingpost::python
