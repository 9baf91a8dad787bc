// SPDX-License-Identifier: Apache-2.0
#include "secrets/data_key.h"

#include <algorithm>
#include <map>

#include "base/random_bytes.h"
#include "remote/cloud/keys/key_service.h"

namespace kingpost {

namespace {

struct KnownKeys {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<DataKey>> keys;
};

// Never destroyed: it outlives every manager.
KnownKeys& KeysOfProcess() {
  static auto* const known = new KnownKeys();
  return *known;
}

}  // namespace

std::shared_ptr<DataKey> DataKey::Of(const std::string& url, const std::string& encrypted) {
  KnownKeys& known = KeysOfProcess();
  const std::lock_guard<std::mutex> lock(known.mutex);
  std::shared_ptr<DataKey>& key = known.keys[{url, encrypted}];
  if (!key) key = std::make_shared<DataKey>(url, encrypted);
  return key;
}

Result<std::string> DataKey::Make(const std::string& url) {
  Result<std::unique_ptr<KeyService>> service = OpenKeyService(url);
  if (!service.ok()) return service.status();
  const std::string bytes = RandomBytes(SecretKey().size());
  Result<std::string> encrypted = (*service)->Encrypt(bytes);
  if (!encrypted.ok()) return encrypted;
  const std::shared_ptr<DataKey> key = Of(url, *encrypted);
  const std::lock_guard<std::mutex> lock(key->mutex_);
  key->key_.emplace();
  std::copy(bytes.begin(), bytes.end(), key->key_->begin());
  return encrypted;
}

void DataKey::Start() {
  const std::lock_guard<std::mutex> lock(thread_mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { (void)Wait(); });
}

Result<SecretKey> DataKey::Wait() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (key_) return *key_;
  Result<SecretKey> asked = Ask();
  if (asked.ok()) key_ = *asked;
  return asked;
}

void DataKey::Settle() {
  const std::lock_guard<std::mutex> lock(thread_mutex_);
  if (thread_.joinable()) thread_.join();
}

Result<SecretKey> DataKey::Ask() const {
  Result<std::unique_ptr<KeyService>> service = OpenKeyService(url_);
  if (!service.ok()) return service.status();
  const Result<std::string> bytes = (*service)->Decrypt(encrypted_);
  if (!bytes.ok()) return bytes.status();
  SecretKey key;
  if (bytes.value().size() != key.size()) {
    return Status(Code::kInvalidArgument, "the encryptedkey of the stack is no data key: it has " +
                                              std::to_string(bytes.value().size()) + " bytes instead of 32");
  }
  std::copy(bytes.value().begin(), bytes.value().end(), key.begin());
  return key;
}

}  // namespace kingpost
