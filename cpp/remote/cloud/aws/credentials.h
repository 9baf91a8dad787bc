// SPDX-License-Identifier: Apache-2.0
// AWS credentials: looked for at the first use, kept, and looked for again before they expire. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "remote/cloud/aws/settings.h"
#include "remote/cloud/aws/sigv4.h"

namespace kingpost {

class AwsCredentialSource {
 public:
  explicit AwsCredentialSource(AwsSettings settings) : settings_(std::move(settings)) {}

  // Unauthenticated if there are none; the message lists each source that was tried.
  Result<AwsCredentials> Get();
  // A service has refused `refused`: all sources are read again. True if others are there now.
  bool Renew(const AwsCredentials& refused);

 private:
  Result<AwsCredentials> Find() const;

  const AwsSettings settings_;
  std::mutex mutex_;
  std::optional<AwsCredentials> kept_;
};

}  // namespace kingpost
