// SPDX-License-Identifier: Apache-2.0
#include "secrets/cloud_manager.h"

#include "base/encoding.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/keys/key_service.h"
#include "secrets/aes_gcm.h"

namespace kingpost {

namespace {

// As the reference writes it, to the byte: with "&", "<" and ">" escaped. Two texts of one state would be two states.
std::string StateOf(const CloudSecrets& secrets) {
  std::string state;
  for (const char c : JsonOf({{"url", secrets.url}, {"encryptedkey", secrets.encrypted_key}})) {
    if (c == '&' || c == '<' || c == '>') {
      state += c == '&' ? "\\u0026" : c == '<' ? "\\u003c" : "\\u003e";
    } else {
      state += c;
    }
  }
  return state;
}

std::string KindOf(const std::string& url) { return url.substr(0, url.find(':')); }

Result<std::shared_ptr<SecretsManager>> OpenWith(const CloudSecrets& secrets, std::string state) {
  if (!IsKeyServiceUrl(secrets.url)) {
    return Status(Code::kInvalidArgument, "unknown secrets provider '" + KindOf(secrets.url) +
                                              "'; known are passphrase, awskms://, azurekeyvault://, gcpkms:// and "
                                              "hashivault://");
  }
  const auto encrypted = Base64Decode(secrets.encrypted_key);
  if (!encrypted || encrypted->empty()) {
    return Status(Code::kInvalidArgument, "the encryptedkey of the stack is not base64; restore it from a backup");
  }
  return std::shared_ptr<SecretsManager>(
      std::make_shared<CloudManager>(std::move(state), DataKey::Of(secrets.url, *encrypted)));
}

}  // namespace

Result<std::shared_ptr<SecretsManager>> CloudManager::OpenState(const std::string& state_json) {
  const auto fields = FlatJson::Parse(state_json);
  if (!fields || !fields->Has("url") || !fields->Has("encryptedkey")) {
    return Status(Code::kInvalidArgument,
                  "the state's cloud secrets manager has no url or no encryptedkey: take them from the stack's "
                  "settings or an export");
  }
  return OpenWith({fields->Text("url"), fields->Text("encryptedkey")}, state_json);
}

Result<std::shared_ptr<SecretsManager>> CloudManager::Open(const CloudSecrets& secrets) {
  return OpenWith(secrets, StateOf(secrets));
}

Result<std::shared_ptr<SecretsManager>> CloudManager::New(const std::string& url) {
  const Result<std::string> encrypted = DataKey::Make(url);
  if (!encrypted.ok()) return encrypted.status();
  return Open({url, Base64Encode(encrypted.value())});
}

Result<std::string> CloudManager::Encrypt(const std::string& plaintext) {
  const Result<SecretKey> key = key_->Wait();
  if (!key.ok()) return key.status();
  return SealText(plaintext, *key);
}

Result<std::string> CloudManager::Decrypt(const std::string& ciphertext) {
  const Result<SecretKey> key = key_->Wait();
  if (!key.ok()) return key.status();
  return OpenText(ciphertext, *key);
}

CloudSecrets CloudSecretsOf(const SecretsManager& manager) {
  if (manager.type() != "cloud") return {};
  const auto fields = FlatJson::Parse(manager.state());
  if (!fields) return {};
  return {fields->Text("url"), fields->Text("encryptedkey")};
}

}  // namespace kingpost
