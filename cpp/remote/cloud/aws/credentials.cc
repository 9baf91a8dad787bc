// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/credentials.h"

#include "base/os.h"
#include "remote/cloud/aws/profile_credentials.h"
#include "remote/cloud/aws/sts.h"

namespace kingpost {

namespace {

constexpr int64_t kRenewBeforeMs = 5 * 60'000;

Status NothingFound(const SourcesTried& tried) {
  return {Code::kUnauthenticated, "no AWS credentials were found. Tried:" + tried.Text()};
}

}  // namespace

Result<AwsCredentials> AwsCredentialSource::Get() {
  std::lock_guard<std::mutex> lock(mutex_);
  const int64_t now_ms = settings_.io->now_ms();
  if (kept_ && (kept_->expires_ms == 0 || now_ms + kRenewBeforeMs < kept_->expires_ms)) return *kept_;
  Result<AwsCredentials> found = Find();
  // A source that is out of reach just now is no harm while the former ones are good.
  if (!found.ok() && kept_ && now_ms < kept_->expires_ms) return *kept_;
  if (!found.ok()) return found;
  kept_ = *found;
  return found;
}

bool AwsCredentialSource::Renew(const AwsCredentials& refused) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto is_another = [&](const AwsCredentials& now) {
    return now.access_key != refused.access_key || now.session_token != refused.session_token;
  };
  if (kept_ && is_another(*kept_)) return true;  // another thread was first
  Result<AwsCredentials> found = Find();
  if (!found.ok() || !is_another(*found)) return false;
  kept_ = std::move(*found);
  return true;
}

// The order of AWS's SDKs: a profile that the URL names goes before the environment's keys, AWS_PROFILE does not.
Result<AwsCredentials> AwsCredentialSource::Find() const {
  if (settings_.anonymous) return AwsCredentials{.access_key = "", .source = "anonymous"};
  SourcesTried tried;
  Result<AwsCredentials> found = Status(Code::kNotFound, "");
  if (settings_.url_profile.empty()) {
    found = EnvironmentKeys(&tried);
    if (!found.ok()) found = EnvironmentWebIdentity(settings_, &tried);
  }
  if (!found.ok() && found.status().code() == Code::kNotFound) found = ProfileCredentials(settings_, &tried);
  if (!found.ok()) return found.status().code() == Code::kNotFound ? NothingFound(tried) : found;
  if (settings_.role.empty()) return found;
  return AssumeRole(settings_, *found, {.arn = settings_.role});
}

}  // namespace kingpost
