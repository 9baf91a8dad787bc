// SPDX-License-Identifier: Apache-2.0
// The secrets manager of stacks that a key service guards: values are encrypted here under the stack's data key. The
// service is asked at the first need, or beside other work after StartDerivation(). Any thread.
#pragma once

#include "kingpost/secrets_manager.h"
#include "secrets/data_key.h"

namespace kingpost {

// The fields of a stack's settings for it: `secretsprovider` and `encryptedkey`.
struct CloudSecrets {
  std::string url;
  std::string encrypted_key;  // base64
};

class CloudManager : public SecretsManager {
 public:
  // {"url":...,"encryptedkey":...}
  static Result<std::shared_ptr<SecretsManager>> OpenState(const std::string& state_json);
  static Result<std::shared_ptr<SecretsManager>> Open(const CloudSecrets& secrets);
  // With a new data key, for which the service is asked.
  static Result<std::shared_ptr<SecretsManager>> New(const std::string& url);

  CloudManager(std::string state, std::shared_ptr<DataKey> key) : state_(std::move(state)), key_(std::move(key)) {}
  ~CloudManager() override { key_->Settle(); }

  std::string type() const override { return "cloud"; }
  std::string state() const override { return state_; }
  Result<std::string> Encrypt(const std::string& plaintext) override;
  Result<std::string> Decrypt(const std::string& ciphertext) override;
  void StartDerivation() override { key_->Start(); }
  Status Verify() override { return key_->Wait().status(); }

 private:
  const std::string state_;
  const std::shared_ptr<DataKey> key_;
};

// Only for a manager of type "cloud"; empty for any other.
CloudSecrets CloudSecretsOf(const SecretsManager& manager);

}  // namespace kingpost
