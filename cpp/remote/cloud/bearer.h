// SPDX-License-Identifier: Apache-2.0
// Services that take a token. It is looked for at the first use, kept, fetched anew before it expires, and once more
// when a service does not accept it any longer. Any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "remote/cloud/retry.h"

namespace kingpost {

struct AccessToken {
  std::string text;
  int64_t expires_ms = 0;  // since 1970; 0: unknown
};

class TokenCache {
 public:
  using Find = std::function<Result<AccessToken>()>;

  TokenCache(std::shared_ptr<const CloudIo> io, Find find) : io_(std::move(io)), find_(std::move(find)) {}

  Result<std::string> Get();
  bool Renew(const std::string& refused);  // true if there is another one now

 private:
  const std::shared_ptr<const CloudIo> io_;
  const Find find_;
  std::mutex mutex_;
  std::optional<AccessToken> kept_;
};

// Requests with a token, or without any. Sent again where that can help.
class BearerClient {
 public:
  // `find` null: anonymous.
  BearerClient(std::shared_ptr<const CloudIo> io, RetryPolicy policy, TokenCache::Find find);

  Result<Answer> Send(const HttpRequest& request);

 private:
  Retrier retrier_;
  const bool anonymous_;
  TokenCache tokens_;
};

// Reads the usual answer {"access_token":...,"expires_in":...}; refused with its own error text.
Result<AccessToken> ReadTokenAnswer(const HttpResponse& response, int64_t now_ms, const std::string& what);
// A form, posted for a token.
Result<AccessToken> PostForToken(const std::shared_ptr<const CloudIo>& io, const std::string& url,
                                 const std::string& form, const std::string& what);

}  // namespace kingpost
