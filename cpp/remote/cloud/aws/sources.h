// SPDX-License-Identifier: Apache-2.0
// Places that credentials come from. Each gives NotFound where it has nothing to say, and notes why; any other error
// means that it is the source to be used and is broken.
#pragma once

#include <string>

#include "remote/cloud/aws/settings.h"
#include "remote/cloud/aws/sigv4.h"

namespace kingpost {

// The sources that were asked in vain, for the message that there are no credentials.
class SourcesTried {
 public:
  // NotFound, for the caller to pass on.
  Status Note(const std::string& source, const std::string& why);
  std::string Text() const { return lines_; }

 private:
  std::string lines_;
};

Result<AwsCredentials> EnvironmentKeys(SourcesTried* tried);
// The roles of containers: ECS, and the pod identities of EKS.
Result<AwsCredentials> ContainerCredentials(const AwsSettings& settings, SourcesTried* tried);
// The role of the machine, by the second version of its metadata service.
Result<AwsCredentials> InstanceCredentials(const AwsSettings& settings, SourcesTried* tried);
// The output of a command: the `credential_process` of a profile.
Result<AwsCredentials> ProcessCredentials(const std::string& command, const std::string& profile);
// Logins that only AWS's own command can do: asking for a code, opening a browser.
Result<AwsCredentials> DelegatedCredentials(const std::string& profile, const std::string& why);
// The token that `aws sso login` left in its cache, exchanged for credentials of the profile's account and role.
Result<AwsCredentials> SsoCredentials(const AwsSettings& settings, const AwsSection& profile, const std::string& name);

}  // namespace kingpost
