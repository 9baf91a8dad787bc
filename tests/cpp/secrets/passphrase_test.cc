// SPDX-License-Identifier: Apache-2.0
// The passphrase manager against vectors made with Python's hashlib and the package cryptography.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "base/encoding.h"
#include "kingpost/secrets_manager.h"
#include "secrets/aes_gcm.h"
#include "secrets/key_derivation.h"

namespace kingpost::passphrase_test {

// Passphrase "correct horse", salt 01..08.
constexpr char kSalt[] = "v1:AQIDBAUGBwg=:v1:AAECAwQFBgcICQoL:E27pUA/wPCIWegHkV0laI4yxSAT80Q==";
constexpr char kCiphertext[] = "v1:FBUWFxgZGhscHR4f:blFG9B38Lxfw+FGwehjbHgeB+a+gZyX+Ape6jcG30w==";
constexpr char kPlaintext[] = "h\xc3\xbcsh \"quoted\"\n";

std::string Hex(const SecretKey& key) { return HexEncode({reinterpret_cast<const char*>(key.data()), key.size()}); }

Result<std::shared_ptr<SecretsManager>> Open(const std::string& salt, const std::string& passphrase) {
  return OpenSecretsManager("passphrase", PassphraseState(salt), FixedPassphrase(passphrase));
}

// A user at a terminal who mistypes first.
class Forgetful : public PassphraseSource {
 public:
  Result<std::string> Read(const std::string& prompt) override {
    prompts.push_back(prompt);
    return std::string(prompts.size() == 1 ? "correct hose" : "correct horse");
  }
  bool interactive() const override { return true; }
  std::vector<std::string> prompts;
};

class Environment {
 public:
  Environment(const char* phrase, const char* file) {
    Set("PULUMI_CONFIG_PASSPHRASE", phrase);
    Set("PULUMI_CONFIG_PASSPHRASE_FILE", file);
  }
  ~Environment() {
    Set("PULUMI_CONFIG_PASSPHRASE", nullptr);
    Set("PULUMI_CONFIG_PASSPHRASE_FILE", nullptr);
  }

 private:
  static void Set(const char* name, const char* value) {
    if (value) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
  }
};

TEST_CASE("derives the keys that hashlib derives", "[secrets]") {
  CHECK(Hex(*DerivePbkdf2Sha256("correct horse", "\1\2\3\4\5\6\7\10", 1000000)) ==
        "d9cbd9b1321cffbae3a5dbc3e3cc9df0a3e6afd70d928ca676c52bcc36d4accb");
  CHECK(Hex(*DerivePbkdf2Sha256(std::string(100, 'p'), "a longer salt than usual", 3)) ==
        "02a238f6408e2f1acd40cd3015c7dee60269cd35c9e100ad52413707447dad63");
  CHECK(Hex(*DerivePbkdf2Sha256("", "", 1)) == "f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad");
}

TEST_CASE("a derivation that is no longer needed stops", "[secrets]") {
  const std::atomic<bool> stop{true};
  CHECK_FALSE(DerivePbkdf2Sha256("p", "s", 2000000000, &stop));
}

TEST_CASE("decrypts the reference's ciphertexts and writes ones that it can decrypt", "[secrets]") {
  auto manager = Open(kSalt, "correct horse");
  REQUIRE(manager.ok());
  CHECK((*manager)->state() == std::string("{\"salt\":\"") + kSalt + "\"}");
  CHECK(EncryptionSalt(**manager) == kSalt);
  (*manager)->StartDerivation();
  CHECK((*manager)->Verify().ok());
  CHECK(*(*manager)->Decrypt(kCiphertext) == kPlaintext);

  const std::string first = *(*manager)->Encrypt(kPlaintext);
  CHECK(first != *(*manager)->Encrypt(kPlaintext));  // a nonce is never used twice
  CHECK(*(*manager)->Decrypt(first) == kPlaintext);
  CHECK(*(*manager)->Decrypt(*(*manager)->Encrypt("")) == "");
}

TEST_CASE("many threads may use one manager", "[secrets]") {
  auto manager = *Open(kSalt, "correct horse");
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto text = manager->Decrypt(kCiphertext);
      right += text.ok() && *text == kPlaintext;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 8);
}

TEST_CASE("a wrong passphrase is found at first use and says nothing else", "[secrets]") {
  auto manager = *Open(kSalt, "wrong");
  CHECK(manager->state() == PassphraseState(kSalt));
  CHECK(manager->Decrypt(kCiphertext)
            .status()
            .message()
            .starts_with("incorrect passphrase; set PULUMI_CONFIG_PASSPHRASE"));
  CHECK(manager->Encrypt("x").status().message().starts_with("incorrect passphrase; set PULUMI_CONFIG_PASSPHRASE"));
  CHECK(manager->Verify().message().starts_with("incorrect passphrase; set PULUMI_CONFIG_PASSPHRASE"));
}

TEST_CASE("asks again after a mistyped passphrase", "[secrets]") {
  auto source = std::make_shared<Forgetful>();
  auto manager = *OpenSecretsManager("passphrase", PassphraseState(kSalt), source, "dev");
  CHECK(*manager->Decrypt(kCiphertext) == kPlaintext);
  REQUIRE(source->prompts.size() == 2);
  CHECK(source->prompts[0].find("for stack dev") != std::string::npos);
}

TEST_CASE("damaged salts and ciphertexts are refused", "[secrets]") {
  const std::string check = std::string(kSalt).substr(16);
  CHECK(Open("v1:AQIDBAUGBwg=", "x").status().message().find("malformed state value") == 0);
  CHECK(Open("v2:AQIDBAUGBwg=:" + check, "x").status().message().find("unknown state version") == 0);
  CHECK(Open("v1:!!!:" + check, "x").status().message().find("malformed state value") == 0);
  CHECK_FALSE(OpenSecretsManager("passphrase", "{", FixedPassphrase("x")).ok());
  CHECK_FALSE(OpenSecretsManager("passphrase", "{\"salt\":1}", FixedPassphrase("x")).ok());

  auto manager = *Open(kSalt, "correct horse");
  CHECK(manager->Decrypt("v1:onlytwo").status().message().find("bad value") == 0);
  CHECK(manager->Decrypt("v2:AAAA:AAAA").status().message() == "unknown value version");
  CHECK(manager->Decrypt("v1:AAAA:AAAA").status().message() == "bad value: nonce size is incorrect");
  CHECK(manager->Decrypt("v1:FBUWFxgZGhscHR4f:AAAA").status().message() ==
        "bad value: an encrypted value is cut short");
  std::string altered = kCiphertext;
  altered[30] = altered[30] == 'A' ? 'B' : 'A';
  const Status refused = manager->Decrypt(altered).status();
  CHECK_FALSE(refused.ok());
  CHECK(refused.message().find("sh") == refused.message().find("should"));  // no plaintext in the error
}

TEST_CASE("new managers have new salts and open with their passphrase only", "[secrets]") {
  auto first = *NewPassphraseManager(FixedPassphrase("p"));
  auto second = *NewPassphraseManager(FixedPassphrase("p"));
  CHECK(first->state() != second->state());
  const std::string sealed = *first->Encrypt("value");
  CHECK(*(*Open(EncryptionSalt(*first), "p"))->Decrypt(sealed) == "value");
  CHECK_FALSE(second->Decrypt(sealed).ok());
}

TEST_CASE("the passphrase comes from the environment, then from a file", "[secrets]") {
  const std::string path = "/tmp/kingpost_passphrase_" + std::to_string(getpid());
  std::ofstream(path) << "  from a file \n";
  {
    const Environment environment("", path.c_str());  // set but empty counts
    CHECK(*EnvironmentPassphrase(false)->Read("?") == "");
  }
  {
    const Environment environment(nullptr, path.c_str());
    CHECK(*EnvironmentPassphrase(false)->Read("?") == "from a file");
  }
  {
    const Environment environment(nullptr, "/nonexistent/file");
    CHECK(EnvironmentPassphrase(false)->Read("?").status().message().find(
              "unable to read PULUMI_CONFIG_PASSPHRASE_FILE: /nonexistent/file") == 0);
  }
  const Environment environment(nullptr, nullptr);
  CHECK(EnvironmentPassphrase(false)->Read("?").status().message() ==
        "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables");
  std::remove(path.c_str());
}

TEST_CASE("the b64 manager keeps no secret, a service is refused with the remedy", "[secrets]") {
  auto manager = *OpenSecretsManager("b64", "null", nullptr);
  CHECK(manager->state() == "null");
  CHECK(*manager->Encrypt("a?b") == "YT9i");
  CHECK(*manager->Decrypt("YT9i") == "a?b");
  CHECK_FALSE(manager->Decrypt("YT9").ok());
  CHECK(OpenSecretsManager("service", "{}", nullptr).status().message().find("change-secrets-provider passphrase") !=
        std::string::npos);
  CHECK_FALSE(OpenSecretsManager("magic", "{}", nullptr).ok());
}

TEST_CASE("base64 is strict", "[secrets]") {
  CHECK(Base64Encode("") == "");
  CHECK(Base64Encode(std::string("\0\xff", 2)) == "AP8=");
  CHECK(*Base64Decode("AP8=") == std::string("\0\xff", 2));
  CHECK_FALSE(Base64Decode("AP8"));
  CHECK_FALSE(Base64Decode("A=8="));
  CHECK_FALSE(Base64Decode("AP 8"));
  CHECK_FALSE(Base64Decode("AP8=\n"));
}

}  // namespace kingpost::passphrase_test
