// SPDX-License-Identifier: Apache-2.0
#include "bindings/run_config.h"

#include "workspace/stack_config.h"

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

Result<std::map<std::string, ConfigValue>> ProjectConfig(const Project& project, const StackName& stack,
                                                         const RunSettings& settings, const OperationBasis& basis,
                                                         std::shared_ptr<PassphraseSource> passphrase) {
  const Result<StackConfig> file = StackConfig::Load(project.StackConfigFile(stack.name), project.name);
  if (!file.ok()) return file.status();
  std::shared_ptr<SecretsManager> secrets = basis.secrets;
  if (!file->encryption_salt().empty() && file->HasSecrets()) {
    Result<std::shared_ptr<SecretsManager>> own =
        OpenSecretsManager("passphrase", PassphraseState(file->encryption_salt()), std::move(passphrase), stack.name);
    if (!own.ok()) return own.status();
    secrets = std::move(*own);
  }
  ConfigMap raw = file->config();
  for (auto& [key, value] : SealedConfig(settings.config, *secrets)) raw[key] = value;
  const bool validate = settings.options.run_program;
  Result<ConfigMap> merged = MergeProjectConfig(project, stack.name, std::move(raw), validate);
  if (!merged.ok()) return merged.status();
  auto plain = DecryptConfig(*merged, secrets.get());
  if (!plain.ok()) return plain.status().Wrap("could not decrypt the configuration in " + file->file());
  if (validate) {
    if (const Status valid = ValidateProjectConfig(project, stack.name, *merged, *plain); !valid.ok()) return valid;
  }
  return plain;
}

}  // namespace kingpost::python
