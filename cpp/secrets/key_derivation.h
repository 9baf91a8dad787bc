// SPDX-License-Identifier: Apache-2.0
// PBKDF2-HMAC-SHA256 for one 32-byte key, and the background thread that computes it.
//
// A million rounds cost a fair part of a second, so a command starts the derivation first and needs the key last. Keys
// being derived or in use are shared in the process: the stack's settings and its checkpoint usually name the same
// salt.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace kingpost {

using SecretKey = std::array<unsigned char, 32>;

// Two compressions per round on prepared inner and outer states, which is about twice as fast as a general HMAC.
// Returns nullopt only if `stop` became true.
std::optional<SecretKey> DerivePbkdf2Sha256(const std::string& passphrase, const std::string& salt, int rounds,
                                            const std::atomic<bool>* stop = nullptr);

// SHA-256 of passphrase and salt, which tells derivations apart. Quick to guess from: it is not to be shown or stored.
std::string SourceHash(const std::string& passphrase, const std::string& salt);

class KeyDerivation {
 public:
  // Starts the thread, or joins in with a derivation of the same passphrase and salt.
  static std::shared_ptr<KeyDerivation> Start(const std::string& passphrase, const std::string& salt);

  KeyDerivation(std::string passphrase, std::string salt);
  ~KeyDerivation();  // does not wait for a key without a taker
  KeyDerivation(const KeyDerivation&) = delete;
  KeyDerivation& operator=(const KeyDerivation&) = delete;

  const SecretKey& Wait();

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  std::optional<SecretKey> key_;  // guarded by mutex_ until set, constant after
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace kingpost
