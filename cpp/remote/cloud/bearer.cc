// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/bearer.h"

#include "remote/cloud/flat_json.h"

namespace kingpost {

namespace {

constexpr int64_t kTokenReserveMs = 5 * 60'000;

}  // namespace

Result<std::string> TokenCache::Get() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int64_t now_ms = io_->now_ms();
  if (kept_ && (kept_->expires_ms == 0 || now_ms + kTokenReserveMs < kept_->expires_ms)) return kept_->text;
  Result<AccessToken> found = find_();
  // A source that is out of reach just now is no harm while the former token is good.
  if (!found.ok() && kept_ && now_ms < kept_->expires_ms) return kept_->text;
  if (!found.ok()) return found.status();
  kept_ = std::move(*found);
  return kept_->text;
}

bool TokenCache::Renew(const std::string& refused) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (kept_ && kept_->text != refused) return true;  // another thread was first
  Result<AccessToken> found = find_();
  if (!found.ok() || found->text == refused) return false;
  kept_ = std::move(*found);
  return true;
}

BearerClient::BearerClient(std::shared_ptr<const CloudIo> io, RetryPolicy policy, TokenCache::Find find)
    : retrier_(io, policy), anonymous_(!find), tokens_(std::move(io), std::move(find)) {}

Result<Answer> BearerClient::Send(const HttpRequest& request) {
  std::string used;
  bool renewed = false;
  const auto make = [&]() -> Result<HttpRequest> {
    HttpRequest sent = request;
    sent.follow_redirects = false;
    if (anonymous_) return sent;
    Result<std::string> token = tokens_.Get();
    if (!token.ok()) return token.status();
    used = std::move(*token);
    sent.headers.emplace_back("Authorization", "Bearer " + used);
    return sent;
  };
  const auto judge = [&](const Result<HttpResponse>& seen) {
    if (IsTransientFailure(seen)) return Verdict::kAgain;
    if (!seen.ok() || seen.value().status != 401 || anonymous_ || renewed) return Verdict::kFinal;
    renewed = true;
    return tokens_.Renew(used) ? Verdict::kAtOnce : Verdict::kFinal;
  };
  return retrier_.Send(make, judge);
}

Result<AccessToken> ReadTokenAnswer(const HttpResponse& response, int64_t now_ms, const std::string& what) {
  const auto fields = FlatJson::Parse(response.body);
  const std::string text = fields ? fields->Text("access_token") : "";
  if (response.ok() && !text.empty()) {
    const int64_t seconds = std::atoll(fields->Text("expires_in").c_str());
    return AccessToken{text, seconds > 0 ? now_ms + seconds * 1000 : 0};
  }
  std::string why = "HTTP " + std::to_string(response.status);
  if (fields && fields->Has("error")) why = fields->Text("error") + " " + fields->Text("error_description");
  if (fields && fields->Has("error.message")) why = fields->Text("error.message");
  return Status(Code::kUnauthenticated, what + ": " + why.substr(0, why.find_first_of("\r\n")));
}

Result<AccessToken> PostForToken(const std::shared_ptr<const CloudIo>& io, const std::string& url,
                                 const std::string& form, const std::string& what) {
  HttpRequest request;
  request.method = "POST";
  request.url = url;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
  request.body = form;
  request.follow_redirects = false;
  const Result<Answer> answer = Retrier(io, RetryPolicy()).Send([&]() -> Result<HttpRequest> { return request; });
  if (!answer.ok()) return answer.status().Wrap(what);
  return ReadTokenAnswer(answer.value().response, io->now_ms(), what);
}

}  // namespace kingpost
