// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/sts.h"

#include "base/os.h"
#include "base/time_text.h"
#include "remote/cloud/aws/errors.h"
#include "remote/cloud/small_file.h"
#include "remote/cloud/xml.h"

namespace kingpost {

namespace {

Result<AwsCredentials> ReadStsAnswer(const Answer& answer, const std::string& action, const RoleRequest& role) {
  const std::string what = "cannot take on the AWS role " + role.arn;
  if (!answer.response.ok()) {
    return Status(Code::kPermissionDenied, what + ": " + ReadAwsError(answer.response).Text(answer.response.status));
  }
  const auto xml = ParseXml(answer.response.body);
  const XmlElement* result = xml ? xml->Child(action + "Result") : nullptr;
  AwsCredentials credentials;
  if (result) {
    credentials.access_key = result->TextOf("Credentials/AccessKeyId");
    credentials.secret_key = result->TextOf("Credentials/SecretAccessKey");
    credentials.session_token = result->TextOf("Credentials/SessionToken");
    credentials.expires_ms = std::max<int64_t>(0, ParseIsoTime(result->TextOf("Credentials/Expiration")));
  }
  credentials.source = "role " + role.arn;
  if (credentials.access_key.empty()) return Status(Code::kUnavailable, what + ": STS gave no credentials");
  return credentials;
}

Result<AwsCredentials> AskSts(const AwsSettings& settings, const AwsCredentials& with, const std::string& action,
                              Parameters fields, const RoleRequest& role) {
  const Result<std::string> endpoint = settings.EndpointOf("sts");
  if (!endpoint.ok()) return endpoint.status();
  fields.insert(fields.begin(), {{"Action", action}, {"Version", "2011-06-15"}, {"RoleArn", role.arn}});
  const std::string name =
      role.session_name.empty() ? "kingpost-" + std::to_string(settings.io->now_ms()) : role.session_name;
  fields.emplace_back("RoleSessionName", name);
  if (!role.duration_seconds.empty()) fields.emplace_back("DurationSeconds", role.duration_seconds);
  AwsRequest request{.method = "POST", .endpoint = *endpoint};
  request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  request.body = FormBody(fields);
  const auto make = [&]() -> Result<HttpRequest> {
    HttpRequest signed_request =
        SignForAws(request, with, {settings.region, "sts", FormatBasicTime(settings.io->now_ms())});
    signed_request.tls = settings.tls;
    return signed_request;
  };
  const auto judge = [](const Result<HttpResponse>& seen) {
    const bool again = IsTransientFailure(seen) || (!seen.value().ok() && IsThrottling(ReadAwsError(seen.value())));
    return again ? Verdict::kAgain : Verdict::kFinal;
  };
  const Result<Answer> answer = Retrier(settings.io, settings.retry).Send(make, judge);
  if (!answer.ok()) return answer.status().Wrap("cannot take on the AWS role " + role.arn);
  return ReadStsAnswer(answer.value(), action, role);
}

}  // namespace

Result<AwsCredentials> AssumeRole(const AwsSettings& settings, const AwsCredentials& with, const RoleRequest& role) {
  if (Status named = settings.CheckRegion(); !named.ok()) return named;
  Parameters fields;
  if (!role.external_id.empty()) fields.emplace_back("ExternalId", role.external_id);
  return AskSts(settings, with, "AssumeRole", std::move(fields), role);
}

Result<AwsCredentials> AssumeRoleWithWebIdentity(const AwsSettings& settings, const std::string& token_file,
                                                 const RoleRequest& role) {
  if (role.arn.empty()) {
    return Status(Code::kInvalidArgument, "the web identity token " + token_file +
                                              " is of no use without a role: set AWS_ROLE_ARN, or role_arn");
  }
  const Result<std::string> token = ReadSmallFile(token_file);
  if (!token.ok()) return token.status().Wrap("cannot read the web identity token");
  return AskSts(settings, AwsCredentials(), "AssumeRoleWithWebIdentity", {{"WebIdentityToken", *token}}, role);
}

Result<AwsCredentials> EnvironmentWebIdentity(const AwsSettings& settings, SourcesTried* tried) {
  const std::string file = GetEnvironment("AWS_WEB_IDENTITY_TOKEN_FILE");
  if (file.empty()) return tried->Note("web identity", "AWS_WEB_IDENTITY_TOKEN_FILE is not set");
  RoleRequest role;
  role.arn = GetEnvironment("AWS_ROLE_ARN");
  role.session_name = GetEnvironment("AWS_ROLE_SESSION_NAME");
  return AssumeRoleWithWebIdentity(settings, file, role);
}

}  // namespace kingpost
