// SPDX-License-Identifier: Apache-2.0
// See key_derivation.h. The rounds are ours because nearly every command derives a key: nettle's take 1.25 to 1.4 times
// as long and OpenSSL's 1.5 to 2.7 times (figures: docs/dependencies.md). OpenSSL's one-shot SHA-256 calls are used
// below the EVP layer, because the EVP layer costs more than the two compressions of a round.
#include "secrets/key_derivation.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <bit>
#include <cstring>
#include <map>

#include "base/status.h"
#include "secrets/kept_keys.h"

namespace kingpost {
namespace {

constexpr int kRounds = 1'000'000;
constexpr int kRoundsBetweenStopChecks = 4096;
constexpr size_t kBlock = SHA256_CBLOCK;
constexpr size_t kDigest = SHA256_DIGEST_LENGTH;

// Four words at a time, because the next compression reads the digest in sixteen bytes: read from four smaller stores,
// they would have to wait for the cache.
using Halves = uint16_t __attribute__((vector_size(16)));
using Words = uint32_t __attribute__((vector_size(16)));

void StoreBigEndian(const SHA256_CTX& state, unsigned char* out) {
  if constexpr (std::endian::native == std::endian::big) {
    std::memcpy(out, state.h, kDigest);
    return;
  }
  for (size_t at = 0; at < kDigest; at += sizeof(Words)) {
    Halves halves;
    std::memcpy(&halves, reinterpret_cast<const unsigned char*>(state.h) + at, sizeof halves);
    halves = (halves << 8) | (halves >> 8);
    Words words;
    std::memcpy(&words, &halves, sizeof words);
    words = (words << 16) | (words >> 16);
    std::memcpy(out + at, &words, sizeof words);
  }
}

// HMAC-SHA256 with the key already absorbed into the two states.
class PreparedHmac {
 public:
  explicit PreparedHmac(const std::string& key) {
    std::array<unsigned char, kBlock> padded{};
    if (key.size() > kBlock) {
      SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), padded.data());
    } else {
      std::memcpy(padded.data(), key.data(), key.size());
    }
    Absorb(padded, 0x36, &inner_);
    Absorb(padded, 0x5c, &outer_);
    OPENSSL_cleanse(padded.data(), padded.size());
  }
  ~PreparedHmac() {
    OPENSSL_cleanse(&inner_, sizeof inner_);
    OPENSSL_cleanse(&outer_, sizeof outer_);
  }

  void First(const std::string& message, unsigned char* out) const {
    SHA256_CTX state = inner_;
    SHA256_Update(&state, message.data(), message.size());
    unsigned char digest[kDigest];
    SHA256_Final(digest, &state);
    state = outer_;
    SHA256_Update(&state, digest, kDigest);
    SHA256_Final(out, &state);
  }

  // One round: the message is a digest, so message and padding fill exactly one block each time.
  void Round(unsigned char* block) const {
    SHA256_CTX state;
    std::memcpy(state.h, inner_.h, sizeof state.h);
    SHA256_Transform(&state, block);
    StoreBigEndian(state, block);
    std::memcpy(state.h, outer_.h, sizeof state.h);
    SHA256_Transform(&state, block);
    StoreBigEndian(state, block);
  }

 private:
  static void Absorb(const std::array<unsigned char, kBlock>& key, unsigned char mask, SHA256_CTX* state) {
    std::array<unsigned char, kBlock> block;
    for (size_t i = 0; i < kBlock; ++i) block[i] = key[i] ^ mask;
    SHA256_Init(state);
    SHA256_Update(state, block.data(), block.size());
    OPENSSL_cleanse(block.data(), block.size());
  }

  SHA256_CTX inner_, outer_;
};

// Derivations by the hash of what they derive from. Weak: nothing outlives its users.
struct Derivations {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<KeyDerivation>> by_source;
};

Derivations& SharedDerivations() {
  static auto* derivations = new Derivations;  // never destroyed: managers may outlive main's statics
  return *derivations;
}

}  // namespace

std::optional<SecretKey> DerivePbkdf2Sha256(const std::string& passphrase, const std::string& salt, int rounds,
                                            const std::atomic<bool>* stop) {
  const PreparedHmac hmac(passphrase);
  // A digest, the one bit that ends a message, zeros, and the length of key block and digest in bits.
  unsigned char block[kBlock] = {};
  block[kDigest] = 0x80;
  constexpr size_t kBits = (kBlock + kDigest) * 8;
  block[kBlock - 2] = kBits >> 8;
  block[kBlock - 1] = kBits & 0xff;

  hmac.First(salt + std::string("\0\0\0\1", 4), block);
  SecretKey key;
  std::memcpy(key.data(), block, kDigest);
  for (int round = 1; round < rounds; ++round) {
    if (stop && round % kRoundsBetweenStopChecks == 0 && stop->load(std::memory_order_relaxed)) return std::nullopt;
    hmac.Round(block);
    for (size_t i = 0; i < kDigest; ++i) key[i] ^= block[i];
  }
  OPENSSL_cleanse(block, sizeof block);
  return key;
}

std::string SourceHash(const std::string& passphrase, const std::string& salt) {
  std::string source = std::to_string(salt.size()) + ":" + salt + passphrase;
  std::string hash(kDigest, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(source.data()), source.size(),
         reinterpret_cast<unsigned char*>(hash.data()));
  OPENSSL_cleanse(source.data(), source.size());
  return hash;
}

std::shared_ptr<KeyDerivation> KeyDerivation::Start(const std::string& passphrase, const std::string& salt) {
  Derivations& shared = SharedDerivations();
  const std::string hash = SourceHash(passphrase, salt);
  std::lock_guard<std::mutex> lock(shared.mutex);
  std::shared_ptr<KeyDerivation> derivation = shared.by_source[hash].lock();
  if (!derivation) {
    derivation = std::make_shared<KeyDerivation>(passphrase, salt);
    shared.by_source[hash] = derivation;
  }
  return derivation;
}

KeyDerivation::KeyDerivation(std::string passphrase, std::string salt) {
  thread_ = std::thread([this, passphrase = std::move(passphrase), salt = std::move(salt)]() mutable {
    std::optional<SecretKey> key = FindKeptKey(passphrase, salt);
    if (!key) {
      key = DerivePbkdf2Sha256(passphrase, salt, kRounds, &stop_);
      if (key) KeepKey(passphrase, salt, *key);
    }
    OPENSSL_cleanse(passphrase.data(), passphrase.size());
    std::lock_guard<std::mutex> lock(mutex_);
    key_ = key;
    done_.notify_all();
  });
}

KeyDerivation::~KeyDerivation() {
  stop_ = true;
  thread_.join();
  if (key_) OPENSSL_cleanse(key_->data(), key_->size());
}

const SecretKey& KeyDerivation::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return key_.has_value(); });
  KP_ASSERT(!stop_, "a derivation that is waited for is not being destroyed");
  return *key_;
}

}  // namespace kingpost
