// SPDX-License-Identifier: Apache-2.0
// SecretsManager: what turns the secrets of a stack into text that may be stored (rows 7.18 and 7.19).
//
// A seam: passphrases, key services and the test manager b64 implement it (kingpost/secrets_manager.h makes them). Any
// thread may call it, and a call may wait while a key is being derived or asked for; no error message ever holds a
// plaintext or a key.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost {

class SecretsManager {
 public:
  virtual ~SecretsManager() = default;

  // "passphrase", "cloud", "b64": what a checkpoint names in secrets_providers.type.
  virtual std::string type() const = 0;
  // The JSON of secrets_providers.state, for example {"salt":"v1:..."}. Known at once, without the passphrase.
  virtual std::string state() const = 0;

  virtual Result<std::string> Encrypt(const std::string& plaintext) = 0;
  virtual Result<std::string> Decrypt(const std::string& ciphertext) = 0;

  // Begins what a first use would wait for (deriving the key takes a fair part of a second), in the background.
  // May ask for the passphrase, so call it on a thread that may wait for the user.
  virtual void StartDerivation() {}
  // OK if secrets can be used. Until then a wrong passphrase goes unnoticed, which lets commands that need no secret
  // run.
  virtual Status Verify() { return Status::Ok(); }
};

}  // namespace kingpost
