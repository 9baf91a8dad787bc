// SPDX-License-Identifier: Apache-2.0
// Errors of AWS's services, and the kind of refusal of each. Pure.
#pragma once

#include <string>

#include "remote/http/http_client.h"

namespace kingpost {

struct AwsError {
  std::string code, message;  // "AccessDenied"; either may be empty

  // "AccessDenied: User ... is not authorized", or "HTTP 403" where nothing was told.
  std::string Text(int http_status) const;
};

// From XML (S3, STS) or JSON (KMS). Says nothing of what was signed, which S3 repeats when a signature is wrong.
AwsError ReadAwsError(const HttpResponse& response);

bool IsThrottling(const AwsError& error);
bool IsExpiredCredential(const AwsError& error);
bool IsSkewedClock(const AwsError& error);

}  // namespace kingpost
