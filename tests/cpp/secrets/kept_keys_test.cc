// SPDX-License-Identifier: Apache-2.0
// Keys that the kernel keeps between commands: this user's keyring, if the kernel has any.
#include "secrets/kept_keys.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/random_bytes.h"
#include "kingpost/secrets_manager.h"

namespace kingpost::kept_keys_test {

// The variable, while this lives.
class KeepKeys {
 public:
  explicit KeepKeys(const char* seconds) { setenv("KINGPOST_KEEP_KEYS", seconds, 1); }
  ~KeepKeys() { unsetenv("KINGPOST_KEEP_KEYS"); }
};

// Some containers have none.
bool HasKeyrings() {
  if (syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) >= 0) return true;
  WARN("the kernel keeps no keys here");
  return false;
}

SecretKey Derived(const std::string& passphrase, const std::string& salt) {
  return KeyDerivation::Start(passphrase, salt)->Wait();
}

std::string NamesOfKeys() {
  std::stringstream names;
  names << std::ifstream("/proc/keys").rdbuf();
  return names.str();
}

TEST_CASE("a derived key is kept for the same passphrase and salt alone", "[secrets]") {
  if (!HasKeyrings()) return;
  const std::string salt = RandomBytes(8);
  const KeepKeys keeps("60");
  CHECK_FALSE(FindKeptKey("a passphrase", salt));
  const SecretKey key = Derived("a passphrase", salt);
  CHECK(FindKeptKey("a passphrase", salt) == key);
  CHECK_FALSE(FindKeptKey("another passphrase", salt));
  CHECK_FALSE(FindKeptKey("a passphrase", RandomBytes(8)));
  CHECK(NamesOfKeys().find("passphrase") == std::string::npos);
}

TEST_CASE("a kept key spares the derivation", "[secrets]") {
  if (!HasKeyrings()) return;
  const std::string salt = RandomBytes(8);
  const KeepKeys keeps("60");
  SecretKey other{};  // no derivation makes it
  other[0] = 1;
  KeepKey("a passphrase", salt, other);
  CHECK(Derived("a passphrase", salt) == other);
}

TEST_CASE("a wrong passphrase is refused beside a kept key", "[secrets]") {
  const KeepKeys keeps("60");
  const auto manager = *NewPassphraseManager(FixedPassphrase("right"));
  const auto opens = [&](const char* passphrase) {
    return (*OpenSecretsManager("passphrase", manager->state(), FixedPassphrase(passphrase)))->Verify().ok();
  };
  CHECK(opens("right"));
  CHECK_FALSE(opens("wrong"));
  CHECK(opens("right"));
}

TEST_CASE("a kept key is forgotten after its seconds", "[secrets]") {
  if (!HasKeyrings()) return;
  const std::string salt = RandomBytes(8);
  const KeepKeys keeps("1");
  KeepKey("a passphrase", salt, SecretKey{});
  CHECK(FindKeptKey("a passphrase", salt));
  for (int i = 0; i < 100 && FindKeptKey("a passphrase", salt); ++i) usleep(50'000);
  CHECK_FALSE(FindKeptKey("a passphrase", salt));
}

TEST_CASE("no key is kept or found unless the user asks for it", "[secrets]") {
  const std::string salt = RandomBytes(8);
  KeepKey("a passphrase", salt, SecretKey{});
  {
    const KeepKeys keeps("60");
    CHECK_FALSE(FindKeptKey("a passphrase", salt));
    KeepKey("a passphrase", salt, SecretKey{});
  }
  CHECK_FALSE(FindKeptKey("a passphrase", salt));
  const KeepKeys keeps("0");
  CHECK_FALSE(FindKeptKey("a passphrase", salt));
}

TEST_CASE("what is no number of seconds is refused by name", "[secrets]") {
  for (const char* wrong : {"yes", "-1", "10m", "604801", "1.5", " 1"}) {
    const KeepKeys keeps(wrong);
    const Status refused = NewPassphraseManager(FixedPassphrase("p")).status();
    CHECK(refused.message() ==
          "KINGPOST_KEEP_KEYS is \"" + std::string(wrong) + "\", and has to be a number of seconds, from 0 to 604800");
  }
}

}  // namespace kingpost::kept_keys_test
