// SPDX-License-Identifier: Apache-2.0
// Remembers ciphertexts by resource and plaintext. Any thread; holds its mutex for one look-up at a time.
#include <mutex>
#include <unordered_map>

#include "model/deployment_json.h"

namespace kingpost {

namespace {

class MapSecretCache : public SecretCache {
 public:
  void Put(const Urn& urn, const std::string& plaintext, const std::string& ciphertext) override {
    std::lock_guard<std::mutex> lock(mutex_);
    ciphertexts_[Key(urn, plaintext)] = ciphertext;
  }

  std::optional<std::string> Get(const Urn& urn, const std::string& plaintext) override {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = ciphertexts_.find(Key(urn, plaintext));
    if (found == ciphertexts_.end()) return std::nullopt;
    return found->second;
  }

 private:
  // No URN holds a NUL.
  static std::string Key(const Urn& urn, const std::string& plaintext) { return urn.str() + '\0' + plaintext; }

  std::mutex mutex_;
  std::unordered_map<std::string, std::string> ciphertexts_;
};

}  // namespace

std::shared_ptr<SecretCache> NewSecretCache() { return std::make_shared<MapSecretCache>(); }

}  // namespace kingpost
