// SPDX-License-Identifier: Apache-2.0
// A secrets manager whose ciphertexts show nothing of the plaintext, so that a secret in clear can be searched for.
#pragma once

#include "base/encoding.h"
#include "kingpost/secrets_manager.h"

namespace kingpost::simulation {

class SimSecrets : public SecretsManager {
 public:
  std::string type() const override { return "simulated"; }
  std::string state() const override { return "{\"key\":1}"; }

  Result<std::string> Encrypt(const std::string& plaintext) override { return "x" + HexEncode(plaintext); }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    std::string plaintext;
    for (size_t at = 1; at + 1 < ciphertext.size(); at += 2) {
      plaintext.push_back(static_cast<char>(std::stoi(ciphertext.substr(at, 2), nullptr, 16)));
    }
    return plaintext;
  }
};

}  // namespace kingpost::simulation
