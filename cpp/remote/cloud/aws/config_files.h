// SPDX-License-Identifier: Apache-2.0
// The files in which AWS's tools keep profiles: ~/.aws/config and ~/.aws/credentials, or those that AWS_CONFIG_FILE and
// AWS_SHARED_CREDENTIALS_FILE name.
#pragma once

#include <map>
#include <string>

namespace kingpost {

using AwsSection = std::map<std::string, std::string>;  // what is indented below S3 is "s3.NAME"

class AwsConfigFiles {
 public:
  static AwsConfigFiles Read();
  // For tests: the contents of the two.
  static AwsConfigFiles Of(const std::string& config, const std::string& credentials);

  // Null if there is none. What the credentials file says of a profile goes before what the other says.
  const AwsSection* Profile(const std::string& name) const { return Find("profile " + name); }
  const AwsSection* SsoSession(const std::string& name) const { return Find("sso-session " + name); }
  const AwsSection* Services(const std::string& name) const { return Find("services " + name); }

 private:
  const AwsSection* Find(const std::string& section) const;

  std::map<std::string, AwsSection> sections_;
};

std::string HomeFile(const std::string& path);  // "$HOME/PATH"
// AWS_PROFILE, AWS_DEFAULT_PROFILE, or "default".
std::string AwsProfileOfEnvironment();

}  // namespace kingpost
