// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/profile_credentials.h"

#include <algorithm>
#include <vector>

#include "remote/cloud/aws/sts.h"

namespace kingpost {

namespace {

std::string SettingIn(const AwsSection& section, const std::string& name) {
  const auto found = section.find(name);
  return found == section.end() ? "" : found->second;
}

RoleRequest RoleOf(const AwsSection& profile) {
  return {.arn = SettingIn(profile, "role_arn"),
          .session_name = SettingIn(profile, "role_session_name"),
          .external_id = SettingIn(profile, "external_id"),
          .duration_seconds = SettingIn(profile, "duration_seconds")};
}

// One walk from the profile that counts to the one that holds credentials, and back through the roles on the way.
class ProfileWalk {
 public:
  ProfileWalk(const AwsSettings& settings, SourcesTried* tried) : settings_(settings), tried_(tried) {}

  Result<AwsCredentials> From(const std::string& name) {
    const AwsSection* profile = settings_.files.Profile(name);
    const bool named = !visited_.empty() || name != "default";
    if (!profile && named) return Missing(name);
    const AwsSection none;
    if (!profile) (void)tried_->Note("profile 'default'", "no configuration file has it");
    const AwsSection& section = profile ? *profile : none;
    if (!SettingIn(section, "mfa_serial").empty()) return DelegatedCredentials(name, "its role asks for a code");
    Result<AwsCredentials> base = Base(name, section);
    if (!base.ok() || SettingIn(section, "role_arn").empty() || base->source == kWebIdentity) return base;
    return AssumeRole(settings_, *base, RoleOf(section));
  }

 private:
  static constexpr const char* kWebIdentity = "web identity";

  Status Missing(const std::string& name) const {
    return {Code::kUnauthenticated, "there is no AWS profile '" + name +
                                        "' in ~/.aws/config or ~/.aws/credentials (or the files that AWS_CONFIG_FILE "
                                        "and AWS_SHARED_CREDENTIALS_FILE name)"};
  }

  // The credentials with which the profile's own role, if it has one, is taken on.
  Result<AwsCredentials> Base(const std::string& name, const AwsSection& profile) {
    const std::string source = SettingIn(profile, "source_profile");
    if (!source.empty() && source != name) return FromSource(name, source);
    if (!SettingIn(profile, "aws_access_key_id").empty() && !SettingIn(profile, "aws_secret_access_key").empty()) {
      return AwsCredentials{.access_key = SettingIn(profile, "aws_access_key_id"),
                            .secret_key = SettingIn(profile, "aws_secret_access_key"),
                            .session_token = SettingIn(profile, "aws_session_token"),
                            .source = "profile '" + name + "'"};
    }
    const std::string from = SettingIn(profile, "credential_source");
    if (!from.empty()) return FromNamedSource(name, from);
    const std::string token_file = SettingIn(profile, "web_identity_token_file");
    if (!token_file.empty()) return FromWebIdentity(token_file, profile);
    if (!SettingIn(profile, "sso_session").empty() || !SettingIn(profile, "sso_start_url").empty()) {
      return SsoCredentials(settings_, profile, name);
    }
    if (!SettingIn(profile, "login_session").empty()) return DelegatedCredentials(name, "it uses 'aws login'");
    const std::string command = SettingIn(profile, "credential_process");
    if (!command.empty()) return ProcessCredentials(command, name);
    if (!profile.empty()) (void)tried_->Note("profile '" + name + "'", "it names no credentials");
    Result<AwsCredentials> found = ContainerCredentials(settings_, tried_);
    if (!found.ok() && found.status().code() == Code::kNotFound) found = InstanceCredentials(settings_, tried_);
    return found;
  }

  Result<AwsCredentials> FromSource(const std::string& name, const std::string& source) {
    if (std::find(visited_.begin(), visited_.end(), source) != visited_.end()) {
      return Status(Code::kInvalidArgument,
                    "the AWS profiles '" + name + "' and '" + source + "' name each other as source_profile");
    }
    visited_.push_back(name);
    return From(source);
  }

  Result<AwsCredentials> FromNamedSource(const std::string& name, const std::string& source) {
    if (source == "Environment") return EnvironmentKeys(tried_);
    if (source == "EcsContainer") return ContainerCredentials(settings_, tried_);
    if (source == "Ec2InstanceMetadata") return InstanceCredentials(settings_, tried_);
    return Status(Code::kInvalidArgument, "credential_source of the AWS profile '" + name +
                                              "' is neither Environment, EcsContainer nor Ec2InstanceMetadata");
  }

  // The token takes on the role of this very profile.
  Result<AwsCredentials> FromWebIdentity(const std::string& token_file, const AwsSection& profile) {
    Result<AwsCredentials> credentials = AssumeRoleWithWebIdentity(settings_, token_file, RoleOf(profile));
    if (credentials.ok()) credentials->source = kWebIdentity;
    return credentials;
  }

  const AwsSettings& settings_;
  SourcesTried* const tried_;
  std::vector<std::string> visited_;
};

}  // namespace

Result<AwsCredentials> ProfileCredentials(const AwsSettings& settings, SourcesTried* tried) {
  return ProfileWalk(settings, tried).From(settings.profile_name());
}

}  // namespace kingpost
