// SPDX-License-Identifier: Apache-2.0
// Roles that are taken on, with other credentials or with the token of an identity provider.
#pragma once

#include "remote/cloud/aws/sources.h"

namespace kingpost {

struct RoleRequest {
  std::string arn;
  std::string session_name = {};  // "": one with the time in it
  std::string external_id = {};
  std::string duration_seconds = {};
};

Result<AwsCredentials> AssumeRole(const AwsSettings& settings, const AwsCredentials& with, const RoleRequest& role);
Result<AwsCredentials> AssumeRoleWithWebIdentity(const AwsSettings& settings, const std::string& token_file,
                                                 const RoleRequest& role);
// AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN, AWS_ROLE_SESSION_NAME.
Result<AwsCredentials> EnvironmentWebIdentity(const AwsSettings& settings, SourcesTried* tried);

}  // namespace kingpost
