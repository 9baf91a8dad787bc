// SPDX-License-Identifier: Apache-2.0
#include "cli/session/stack_settings.h"

#include "cli/session/stack_access.h"

namespace kingpost {

Result<StackSettings> OpenStackSettings(Session& session, const ConfigOptions& options, bool may_be_missing) {
  const Result<StackName> stack = session.FindStack(options.stack);
  if (!stack.ok()) return stack.status();
  Result<StackConfig> config = session.LoadConfig(*stack, options.config_file, may_be_missing);
  if (!config.ok()) return config.status();
  return StackSettings{*stack, std::move(*config)};
}

Result<std::shared_ptr<SecretsManager>> SettingsSecrets(Session& session, const ConfigOptions& options,
                                                        StackSettings* settings) {
  std::string document;
  if (settings->config.encryption_salt().empty()) {
    Result<std::string> read = ReadCheckpoint(session, settings->stack);
    if (!read.ok()) return read.status();
    document = std::move(*read);
  }
  Result<std::shared_ptr<SecretsManager>> secrets =
      SecretsOfStack(session, settings->stack, document, options.config_file);
  // The change that SecretsOfStack wrote must survive our own saving.
  if (secrets.ok() && settings->config.encryption_salt().empty()) {
    settings->config.set_encryption_salt(EncryptionSalt(**secrets));
  }
  return secrets;
}

Status SetSecret(Session& session, const ConfigOptions& options, StackSettings* settings, const std::string& key,
                 const std::string& value, bool is_path) {
  const Result<std::shared_ptr<SecretsManager>> secrets = SettingsSecrets(session, options, settings);
  if (!secrets.ok()) return secrets.status();
  const Result<std::string> ciphertext = (*secrets)->Encrypt(value);
  if (!ciphertext.ok()) return ciphertext.status();
  return settings->config.SetSecret(key, *ciphertext, is_path);
}

std::string PrettyKey(const std::string& key, const std::string& project) {
  return key.rfind(project + ":", 0) == 0 ? key.substr(project.size() + 1) : key;
}

}  // namespace kingpost
