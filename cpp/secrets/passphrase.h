// SPDX-License-Identifier: Apache-2.0
// The passphrase secrets manager: a key derived from a passphrase and a stored salt (row 7.18).
//
// It exists at once from the salt; the passphrase is read and the key derived at the first need, or earlier in the
// background by StartDerivation(). Any thread; the mutex is held while the passphrase is read and checked, not later.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "kingpost/secrets_manager.h"
#include "secrets/key_derivation.h"

namespace kingpost {

class PassphraseManager : public SecretsManager {
 public:
  // encryption_salt: v1:SALT:v1:NONCE:CIPHERTEXT, whose tail is the text "pulumi" encrypted, to tell a wrong
  // passphrase.
  static Result<std::shared_ptr<SecretsManager>> Open(const std::string& encryption_salt,
                                                      std::shared_ptr<PassphraseSource> source,
                                                      const std::string& stack_name);
  static Result<std::shared_ptr<SecretsManager>> New(std::shared_ptr<PassphraseSource> source);

  PassphraseManager(std::string salt, std::string check, std::shared_ptr<PassphraseSource> source,
                    std::string stack_name)
      : salt_(std::move(salt)),
        check_(std::move(check)),
        source_(std::move(source)),
        stack_name_(std::move(stack_name)) {}

  std::string type() const override { return "passphrase"; }
  std::string state() const override;
  Result<std::string> Encrypt(const std::string& plaintext) override;
  Result<std::string> Decrypt(const std::string& ciphertext) override;
  void StartDerivation() override;
  Status Verify() override;

 private:
  Status Begin();           // reads the passphrase and starts the thread
  Result<SecretKey> Key();  // waits, checks, and asks again if that can help

  const std::string salt_;   // raw bytes
  const std::string check_;  // v1:NONCE:CIPHERTEXT of "pulumi"
  const std::shared_ptr<PassphraseSource> source_;
  const std::string stack_name_;

  std::mutex mutex_;
  std::shared_ptr<KeyDerivation> derivation_;
  bool checked_ = false;
  Status failure_;  // a wrong passphrase or none at all: not asked for twice
};

}  // namespace kingpost
