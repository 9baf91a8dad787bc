// SPDX-License-Identifier: Apache-2.0
// See passphrase.h.
#include "secrets/passphrase.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"
#include "base/random_bytes.h"
#include "secrets/aes_gcm.h"
#include "secrets/kept_keys.h"

namespace kingpost {
namespace {

constexpr size_t kSaltSize = 8;
constexpr char kCheckText[] = "pulumi";
constexpr int kAttemptsMax = 3;

Status Incorrect() {
  return {Code::kUnauthenticated,
          "incorrect passphrase; set PULUMI_CONFIG_PASSPHRASE to the right one, or PULUMI_CONFIG_PASSPHRASE_FILE to a "
          "file that holds it"};
}

std::string UnlockPrompt(const std::string& stack_name) {
  return "Enter your passphrase to unlock config/secrets" + (stack_name.empty() ? "" : " for stack " + stack_name) +
         "\n    (set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to remember)";
}

bool Matches(const std::string& check, const SecretKey& key) {
  const Result<std::string> text = OpenText(check, key);
  return text.ok() && *text == kCheckText;
}

}  // namespace

Result<std::shared_ptr<SecretsManager>> PassphraseManager::Open(const std::string& encryption_salt,
                                                                std::shared_ptr<PassphraseSource> source,
                                                                const std::string& stack_name) {
  const size_t first = encryption_salt.find(':');
  const size_t second = first == std::string::npos ? first : encryption_salt.find(':', first + 1);
  if (second == std::string::npos) {
    return Status(
        Code::kInvalidArgument,
        "malformed state value: an encryption salt reads v1:SALT:CHECK; restore encryptionsalt from a backup");
  }
  if (encryption_salt.compare(0, first, "v1") != 0) {
    return Status(Code::kInvalidArgument, "unknown state version: only encryption salts of version v1 are known");
  }
  const auto salt = Base64Decode(std::string_view(encryption_salt).substr(first + 1, second - first - 1));
  if (!salt) return Status(Code::kInvalidArgument, "malformed state value: the encryption salt is not base64");
  if (Status keeps = CheckKeepKeys(); !keeps.ok()) return keeps;
  return std::shared_ptr<SecretsManager>(
      std::make_shared<PassphraseManager>(*salt, encryption_salt.substr(second + 1), std::move(source), stack_name));
}

Result<std::shared_ptr<SecretsManager>> PassphraseManager::New(std::shared_ptr<PassphraseSource> source) {
  if (Status keeps = CheckKeepKeys(); !keeps.ok()) return keeps;
  std::string passphrase;
  for (int attempt = 0;; ++attempt) {
    Result<std::string> first = source->Read("Enter your passphrase to protect config/secrets");
    if (!first.ok()) return first.status();
    passphrase = *first;
    if (!source->interactive()) break;
    Result<std::string> second = source->Read("Re-enter your passphrase to confirm");
    if (!second.ok()) return second.status();
    if (*second == passphrase) break;
    if (attempt + 1 == kAttemptsMax) return Status(Code::kInvalidArgument, "passphrases do not match");
    std::fputs("passphrases do not match\n", stderr);
  }

  const std::string salt = RandomBytes(kSaltSize);
  auto derivation = KeyDerivation::Start(passphrase, salt);
  Result<std::string> check = SealText(kCheckText, derivation->Wait());
  if (!check.ok()) return check.status();
  auto manager = std::make_shared<PassphraseManager>(salt, *check, std::move(source), "");
  manager->derivation_ = std::move(derivation);
  manager->checked_ = true;
  return std::shared_ptr<SecretsManager>(std::move(manager));
}

std::string PassphraseManager::state() const { return PassphraseState("v1:" + Base64Encode(salt_) + ":" + check_); }

Status PassphraseManager::Begin() {
  if (derivation_ || !failure_.ok()) return failure_;
  const Result<std::string> passphrase = source_->Read(UnlockPrompt(stack_name_));
  if (!passphrase.ok()) return failure_ = passphrase.status();
  derivation_ = KeyDerivation::Start(*passphrase, salt_);
  return Status::Ok();
}

void PassphraseManager::StartDerivation() {
  std::lock_guard<std::mutex> lock(mutex_);
  (void)Begin();  // a failure is kept for the first use
}

Result<SecretKey> PassphraseManager::Key() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (int attempt = 0; !checked_; ++attempt) {
    const Status begun = Begin();
    if (!begun.ok()) return begun;
    checked_ = Matches(check_, derivation_->Wait());
    if (checked_) break;
    derivation_.reset();
    if (!source_->interactive() || attempt + 1 == kAttemptsMax) return failure_ = Incorrect();
    std::fputs("error: incorrect passphrase\n", stderr);
  }
  return derivation_->Wait();
}

Status PassphraseManager::Verify() { return Key().status(); }

Result<std::string> PassphraseManager::Encrypt(const std::string& plaintext) {
  const Result<SecretKey> key = Key();
  if (!key.ok()) return key.status();
  return SealText(plaintext, *key);
}

Result<std::string> PassphraseManager::Decrypt(const std::string& ciphertext) {
  const Result<SecretKey> key = Key();
  if (!key.ok()) return key.status();
  return OpenText(ciphertext, *key);
}

Result<std::shared_ptr<SecretsManager>> NewPassphraseManager(std::shared_ptr<PassphraseSource> source) {
  return PassphraseManager::New(std::move(source));
}

std::string PassphraseState(const std::string& encryption_salt) {
  return nlohmann::json{{"salt", encryption_salt}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string EncryptionSalt(const SecretsManager& manager) {
  if (manager.type() != "passphrase") return "";
  return TextOf(ParseJson(manager.state()), "salt");
}

}  // namespace kingpost
