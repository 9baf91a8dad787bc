// SPDX-License-Identifier: Apache-2.0
// A secrets manager for tests: "sealed(<n>):<plaintext>", so that every encryption is told apart.
#pragma once

#include "kingpost/secrets_manager.h"

namespace kingpost::testing {

class FakeSecrets : public SecretsManager {
 public:
  std::string type() const override { return "fake"; }
  std::string state() const override { return "{\"key\": 1}"; }

  Result<std::string> Encrypt(const std::string& plaintext) override {
    return "sealed(" + std::to_string(++encryptions) + "):" + plaintext;
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    ++decryptions;
    const size_t colon = ciphertext.find("):");
    if (colon == ciphertext.npos) return Status(Code::kInvalidArgument, "not mine");
    return ciphertext.substr(colon + 2);
  }

  int encryptions = 0;
  int decryptions = 0;
};

}  // namespace kingpost::testing
