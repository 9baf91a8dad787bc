// SPDX-License-Identifier: Apache-2.0
// Chooses the secrets manager that a checkpoint names, and holds the one for tests, b64.
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"
#include "kingpost/secrets_manager.h"
#include "secrets/cloud_manager.h"
#include "secrets/passphrase.h"

namespace kingpost {
namespace {

// No secrecy at all: base64. Its state is null.
class Base64Manager : public SecretsManager {
 public:
  std::string type() const override { return "b64"; }
  std::string state() const override { return "null"; }
  Result<std::string> Encrypt(const std::string& plaintext) override { return Base64Encode(plaintext); }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    const auto plaintext = Base64Decode(ciphertext);
    if (!plaintext) return Status(Code::kInvalidArgument, "bad value: a secret of the b64 manager is not base64");
    return *plaintext;
  }
};

}  // namespace

Result<std::shared_ptr<SecretsManager>> OpenSecretsManager(const std::string& type, const std::string& state_json,
                                                           std::shared_ptr<PassphraseSource> source,
                                                           const std::string& stack_name) {
  if (type == "b64") return std::shared_ptr<SecretsManager>(std::make_shared<Base64Manager>());
  if (type == "passphrase") {
    const auto state = ParseJson(state_json);
    if (!state.is_object() || !state.contains("salt") || !state["salt"].is_string()) {
      return Status(Code::kInvalidArgument, "the state of the passphrase secrets manager holds no salt");
    }
    return PassphraseManager::Open(TextIn(state["salt"]), std::move(source), stack_name);
  }
  if (type == "cloud") return CloudManager::OpenState(state_json);
  if (type == "service") {
    return Status(Code::kUnimplemented,
                  "the stack's secrets are encrypted by Pulumi Cloud (secrets provider 'service'), which this version "
                  "cannot use; change the stack to a passphrase first with 'pulumi stack change-secrets-provider "
                  "passphrase'");
  }
  return Status(Code::kInvalidArgument,
                "unknown secrets provider type '" + type + "'; known are passphrase, cloud and b64");
}

}  // namespace kingpost
