// SPDX-License-Identifier: Apache-2.0
#include "base/os.h"
#include "remote/cloud/aws/sources.h"

namespace kingpost {

Status SourcesTried::Note(const std::string& source, const std::string& why) {
  lines_ += "\n  " + source + ": " + why;
  return {Code::kNotFound, source + ": " + why};
}

Result<AwsCredentials> EnvironmentKeys(SourcesTried* tried) {
  AwsCredentials credentials;
  credentials.access_key = GetEnvironment("AWS_ACCESS_KEY_ID");
  if (credentials.access_key.empty()) credentials.access_key = GetEnvironment("AWS_ACCESS_KEY");
  credentials.secret_key = GetEnvironment("AWS_SECRET_ACCESS_KEY");
  if (credentials.secret_key.empty()) credentials.secret_key = GetEnvironment("AWS_SECRET_KEY");
  credentials.session_token = GetEnvironment("AWS_SESSION_TOKEN");
  credentials.source = "environment variables";
  if (!credentials.access_key.empty() && !credentials.secret_key.empty()) return credentials;
  const char* missing = credentials.access_key.empty() ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY";
  return tried->Note("environment variables", std::string(missing) + " is not set");
}

}  // namespace kingpost
