// SPDX-License-Identifier: Apache-2.0
// Credentials that a command prints: the one that a profile names, or AWS's own.
#include "base/time_text.h"
#include "remote/cloud/aws/sources.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/helper_command.h"

namespace kingpost {

namespace {

Result<AwsCredentials> ReadProcessKeys(const std::string& output, const std::string& source) {
  const auto fields = FlatJson::Parse(output);
  if (!fields || fields->Text("Version") != "1") {
    return Status(Code::kUnauthenticated, source + " printed no credentials (JSON with \"Version\": 1)");
  }
  AwsCredentials credentials;
  credentials.access_key = fields->Text("AccessKeyId");
  credentials.secret_key = fields->Text("SecretAccessKey");
  credentials.session_token = fields->Text("SessionToken");
  credentials.expires_ms = std::max<int64_t>(0, ParseIsoTime(fields->Text("Expiration")));
  credentials.source = source;
  if (credentials.access_key.empty() || credentials.secret_key.empty()) {
    return Status(Code::kUnauthenticated, source + " printed no AccessKeyId or no SecretAccessKey");
  }
  return credentials;
}

}  // namespace

Result<AwsCredentials> ProcessCredentials(const std::string& command, const std::string& profile) {
  const std::string source = "credential_process of the AWS profile '" + profile + "'";
  const Result<std::string> output = RunHelper({"/bin/sh", "-c", command});
  // The command line itself may hold a secret.
  if (!output.ok()) return Status(Code::kUnauthenticated, source + " failed; run it by hand to see why");
  return ReadProcessKeys(*output, source);
}

Result<AwsCredentials> DelegatedCredentials(const std::string& profile, const std::string& why) {
  const std::string what = "the AWS profile '" + profile + "' (" + why + ")";
  const Result<std::string> output =
      RunHelper({"aws", "configure", "export-credentials", "--profile", profile, "--format", "process"});
  if (!output.ok()) {
    return Status(Code::kUnauthenticated,
                  what + " needs the command 'aws' to give its credentials: " + output.status().message() +
                      "; log in with 'aws sso login --profile " + profile + "' or 'aws login', or see what 'aws " +
                      "configure export-credentials --profile " + profile + "' says");
  }
  return ReadProcessKeys(*output, what + ", asked of the command 'aws'");
}

}  // namespace kingpost
