// SPDX-License-Identifier: Apache-2.0
// The data key of a stack whose secrets a key service guards: 32 random bytes, kept encrypted by the service.
//
// A process asks the service once for each: the stack's settings and its checkpoint usually hold the same one. Any
// thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/status.h"
#include "secrets/key_derivation.h"

namespace kingpost {

class DataKey {
 public:
  // The one of this process. `encrypted` is raw bytes.
  static std::shared_ptr<DataKey> Of(const std::string& url, const std::string& encrypted);
  // A new one; gives it as the service encrypts it, which Of() knows from then on without asking.
  static Result<std::string> Make(const std::string& url);

  DataKey(std::string url, std::string encrypted) : url_(std::move(url)), encrypted_(std::move(encrypted)) {}
  ~DataKey() { Settle(); }
  DataKey(const DataKey&) = delete;
  DataKey& operator=(const DataKey&) = delete;

  void Start();              // asks beside other work
  Result<SecretKey> Wait();  // asks if nobody has yet, or if it failed
  void Settle();             // waits for what was started

 private:
  Result<SecretKey> Ask() const;

  const std::string url_, encrypted_;
  std::mutex mutex_;
  std::optional<SecretKey> key_;
  std::mutex thread_mutex_;
  std::thread thread_;
};

}  // namespace kingpost
