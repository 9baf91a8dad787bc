// SPDX-License-Identifier: Apache-2.0
#include "operation/settings_secrets.h"

#include "base/os.h"
#include "remote/cloud/keys/key_service.h"
#include "secrets/cloud_manager.h"

namespace kingpost {

namespace {

std::string OverridingUrl() { return GetEnvironment("PULUMI_CLOUD_SECRET_OVERRIDE"); }

Result<std::shared_ptr<SecretsManager>> MakeAndSave(const std::string& url, StackConfig* config) {
  Result<std::shared_ptr<SecretsManager>> made = CloudManager::New(url);
  if (!made.ok()) return made;
  SetConfigSecretsManager(**made, config);
  if (const Status saved = config->Save(); !saved.ok()) return saved;
  // If two commands made a key side by side, the first one's stays.
  return CloudManager::Open({config->secrets_provider(), config->encrypted_key()});
}

// Another way to the same key: another region, profile or endpoint. Nothing is written, so that the next command
// without the variable finds what it had. A key of its own is what the reference makes in any case, and so loses the
// secrets of the settings; here only where there are none.
Result<std::shared_ptr<SecretsManager>> OpenOverridden(const std::string& url, StackConfig* config) {
  Result<std::shared_ptr<SecretsManager>> same_key = CloudManager::Open({url, config->encrypted_key()});
  const Status opened = same_key.ok() ? (*same_key)->Verify() : same_key.status();
  if (opened.ok()) return same_key;
  if (config->HasSecrets()) {
    return opened.Wrap("PULUMI_CLOUD_SECRET_OVERRIDE names a key service that cannot read the secrets of " +
                       config->file());
  }
  return MakeAndSave(url, config);
}

}  // namespace

bool IsPassphraseProvider(const std::string& provider) {
  return provider.empty() || provider == "default" || provider == "passphrase";
}

Status CheckProviderName(const std::string& provider) {
  if (IsPassphraseProvider(provider) || IsKeyServiceUrl(provider)) return Status::Ok();
  return Status(Code::kInvalidArgument,
                "unknown secrets provider type '" + provider.substr(0, provider.find(':')) +
                    "' (supported values: default,passphrase,awskms,azurekeyvault,gcpkms,hashivault; a key service is "
                    "named by its URL, as in awskms://alias/NAME?region=REGION)");
}

Result<std::shared_ptr<SecretsManager>> SecretsOfSettings(StackConfig* config, std::shared_ptr<PassphraseSource> source,
                                                          const std::string& stack) {
  if (!IsPassphraseProvider(config->secrets_provider())) return CloudSecretsOfConfig(config);
  if (config->encryption_salt().empty()) return std::shared_ptr<SecretsManager>();
  return OpenSecretsManager("passphrase", PassphraseState(config->encryption_salt()), std::move(source), stack);
}

Result<std::shared_ptr<SecretsManager>> CloudSecretsOfConfig(StackConfig* config) {
  const std::string overriding = OverridingUrl();
  const std::string url = overriding.empty() ? config->secrets_provider() : overriding;
  if (config->encrypted_key().empty()) return MakeAndSave(url, config);
  if (url != config->secrets_provider()) return OpenOverridden(url, config);
  return CloudManager::Open({url, config->encrypted_key()});
}

Result<std::shared_ptr<SecretsManager>> NewSecretsManager(const std::string& provider,
                                                          std::shared_ptr<PassphraseSource> passphrase) {
  if (IsPassphraseProvider(provider)) return NewPassphraseManager(std::move(passphrase));
  const std::string overriding = OverridingUrl();
  return CloudManager::New(overriding.empty() ? provider : overriding);
}

void SetConfigSecretsManager(const SecretsManager& manager, StackConfig* config) {
  const CloudSecrets cloud = CloudSecretsOf(manager);
  config->set_secrets_provider(cloud.url);
  config->set_encrypted_key(cloud.encrypted_key);
  config->set_encryption_salt(EncryptionSalt(manager));
}

}  // namespace kingpost
