// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/client.h"

#include <set>

#include "base/time_text.h"

namespace kingpost {

namespace {

// Errors of a key that was exchanged for another one meanwhile, or of a session that has ended.
bool MayBeRenewed(const AwsError& error) {
  static const std::set<std::string> kCodes = {"InvalidAccessKeyId", "InvalidToken", "InvalidClientTokenId",
                                               "UnrecognizedClientException"};
  return IsExpiredCredential(error) || kCodes.contains(error.code);
}

}  // namespace

AwsClient::AwsClient(std::string service, AwsSettings settings)
    : service_(std::move(service)),
      settings_(std::move(settings)),
      retrier_(settings_.io, settings_.retry, settings_.budget),
      credentials_(settings_) {}

Result<Answer> AwsClient::Send(const AwsRequest& request) {
  AwsCredentials used;
  bool renewed = false;
  const auto make = [&]() -> Result<HttpRequest> {
    Result<AwsCredentials> found = credentials_.Get();
    if (!found.ok()) return found.status();
    used = std::move(*found);
    const std::string time = FormatBasicTime(settings_.io->now_ms() + clock_offset_ms_);
    HttpRequest http = SignForAws(request, used, {settings_.region, service_, time, service_ == "s3"});
    http.tls = settings_.tls;
    return http;
  };
  return retrier_.Send(make, [&](const Result<HttpResponse>& seen) { return Judge(seen, used, &renewed); });
}

Verdict AwsClient::Judge(const Result<HttpResponse>& seen, const AwsCredentials& used, bool* renewed) {
  if (IsTransientFailure(seen)) return Verdict::kAgain;
  if (!seen.ok() || seen.value().ok()) return Verdict::kFinal;
  const AwsError error = ReadAwsError(seen.value());
  if (IsThrottling(error)) return Verdict::kAgain;
  if (IsSkewedClock(error)) {
    CorrectClock(seen.value());
    return Verdict::kAtOnce;
  }
  if (!MayBeRenewed(error) || *renewed) return Verdict::kFinal;
  *renewed = true;
  return credentials_.Renew(used) ? Verdict::kAtOnce : Verdict::kFinal;
}

void AwsClient::CorrectClock(const HttpResponse& response) {
  const int64_t theirs = ParseHttpDate(response.header("date"));
  if (theirs >= 0) clock_offset_ms_ = theirs - settings_.io->now_ms();
}

}  // namespace kingpost
