// SPDX-License-Identifier: Apache-2.0
// See kept_keys.h. The C library has no functions for keyrings.
#include "secrets/kept_keys.h"

#include <linux/keyctl.h>
#include <openssl/hmac.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "base/encoding.h"
#include "base/os.h"
#include "base/random_bytes.h"

namespace kingpost {
namespace {

constexpr char kVariable[] = "KINGPOST_KEEP_KEYS";
constexpr char kType[] = "user";  // keys that programs may read
constexpr char kNamingKey[] = "kingpost: names of keys";
constexpr unsigned kPermissions = 0x3f3f0000;  // KEY_POS_ALL | KEY_USR_ALL: all sessions of the user have it
constexpr int kSecondsMax = 7 * 24 * 3600;

std::optional<int> SecondsOf(const std::string& text) {
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > kSecondsMax) return {};
  return seconds;
}

int SecondsToKeep() { return SecondsOf(GetEnvironment(kVariable)).value_or(0); }

template <class... Arguments>
long Control(int operation, Arguments... arguments) {
  return syscall(SYS_keyctl, operation, arguments...);
}

std::optional<SecretKey> Read(const std::string& name) {
  const long id = Control(KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, kType, name.c_str(), 0);
  SecretKey key;
  if (id < 0 || Control(KEYCTL_READ, id, key.data(), key.size()) != static_cast<long>(key.size())) return std::nullopt;
  return key;
}

// In place of one of that name.
bool Write(const std::string& name, const SecretKey& key) {
  const long id = syscall(SYS_add_key, kType, name.c_str(), key.data(), key.size(), KEY_SPEC_USER_KEYRING);
  if (id < 0) return false;
  if (Control(KEYCTL_SETPERM, id, kPermissions) == 0 && Control(KEYCTL_SET_TIMEOUT, id, SecondsToKeep()) == 0) {
    return true;
  }
  const int error = errno;
  Control(KEYCTL_UNLINK, id, KEY_SPEC_USER_KEYRING);  // it would stay for good
  errno = error;
  return false;
}

std::string NameOf(const SecretKey& naming_key, const std::string& passphrase, const std::string& salt) {
  const std::string source = SourceHash(passphrase, salt);
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), naming_key.data(), naming_key.size(), reinterpret_cast<const unsigned char*>(source.data()),
       source.size(), hash, &size);
  return "kingpost:" + HexEncode({reinterpret_cast<const char*>(hash), size});
}

void TellOnce(int error) {
  static const bool told = [error] {
    return std::fprintf(stderr,
                        "warning: %s: the kernel did not keep a key, which the next command derives again: %s\n",
                        kVariable, std::strerror(error)) > 0;
  }();
  (void)told;
}

}  // namespace

Status CheckKeepKeys() {
  const std::string text = GetEnvironment(kVariable);
  if (text.empty() || SecondsOf(text)) return Status::Ok();
  return {Code::kInvalidArgument, std::string(kVariable) + " is " + Quote(text) +
                                      ", and has to be a number of seconds, from 0 to " + std::to_string(kSecondsMax)};
}

std::optional<SecretKey> FindKeptKey(const std::string& passphrase, const std::string& salt) {
  if (SecondsToKeep() == 0) return std::nullopt;
  const std::optional<SecretKey> naming_key = Read(kNamingKey);
  return naming_key ? Read(NameOf(*naming_key, passphrase, salt)) : std::nullopt;
}

void KeepKey(const std::string& passphrase, const std::string& salt, const SecretKey& key) {
  if (SecondsToKeep() == 0) return;
  std::optional<SecretKey> naming_key = Read(kNamingKey);
  if (!naming_key) {
    const std::string random = RandomBytes(key.size());
    naming_key.emplace();
    std::memcpy(naming_key->data(), random.data(), random.size());
  }
  // Written again also if it is there: it has to last as long as the key.
  if (!Write(kNamingKey, *naming_key) || !Write(NameOf(*naming_key, passphrase, salt), key)) TellOnce(errno);
}

}  // namespace kingpost
