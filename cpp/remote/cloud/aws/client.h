// SPDX-License-Identifier: Apache-2.0
// One service of AWS: requests that are signed, and sent again where that helps. When credentials expire in the middle
// they are signed with new ones, and with the service's own time when our clock is wrong. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "remote/cloud/aws/credentials.h"
#include "remote/cloud/aws/errors.h"

namespace kingpost {

class AwsClient {
 public:
  AwsClient(std::string service, AwsSettings settings);

  // Whatever the service answers at last. A Status says that there was no answer, or nobody to ask as.
  Result<Answer> Send(const AwsRequest& request);

  const AwsSettings& settings() const { return settings_; }

 private:
  Verdict Judge(const Result<HttpResponse>& seen, const AwsCredentials& used, bool* renewed);
  void CorrectClock(const HttpResponse& response);

  const std::string service_;
  const AwsSettings settings_;
  const Retrier retrier_;
  AwsCredentialSource credentials_;
  std::atomic<int64_t> clock_offset_ms_{0};
};

}  // namespace kingpost
