// SPDX-License-Identifier: Apache-2.0
// IAM Identity Center: `aws sso login` leaves a token in ~/.aws/sso/cache/SHA1.json, where SHA1 is of the session's
// name, or of the start URL where a profile names no session.
#include "base/digest.h"
#include "base/os.h"
#include "base/time_text.h"
#include "remote/cloud/aws/errors.h"
#include "remote/cloud/aws/sources.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/small_file.h"

namespace kingpost {

namespace {

struct SsoLogin {
  std::string region, start_url, cache_key, account, role;
};

Result<SsoLogin> ReadSsoLogin(const AwsSettings& settings, const AwsSection& profile, const std::string& name) {
  const auto of = [](const AwsSection& section, const std::string& key) {
    const auto found = section.find(key);
    return found == section.end() ? std::string() : found->second;
  };
  const std::string session_name = of(profile, "sso_session");
  const AwsSection* session = session_name.empty() ? &profile : settings.files.SsoSession(session_name);
  if (!session) {
    return Status(Code::kInvalidArgument,
                  "the AWS profile '" + name + "' names sso_session '" + session_name + "', which is in no file");
  }
  SsoLogin login{of(*session, "sso_region"), of(*session, "sso_start_url"), session_name, of(profile, "sso_account_id"),
                 of(profile, "sso_role_name")};
  if (login.cache_key.empty()) login.cache_key = login.start_url;
  if (login.region.empty() || login.start_url.empty() || login.account.empty() || login.role.empty()) {
    return Status(Code::kInvalidArgument,
                  "the AWS profile '" + name + "' needs sso_region, sso_start_url, sso_account_id and sso_role_name");
  }
  return login;
}

// The token of the cache; "" if there is none that is still good.
std::string CachedToken(const AwsSettings& settings, const SsoLogin& login) {
  const Result<std::string> text = ReadSmallFile(HomeFile(".aws/sso/cache/" + Sha1Hex(login.cache_key) + ".json"));
  const auto fields = text.ok() ? FlatJson::Parse(*text) : std::nullopt;
  if (!fields || ParseIsoTime(fields->Text("expiresAt")) <= settings.io->now_ms()) return "";
  return fields->Text("accessToken");
}

Result<HttpResponse> AskPortal(const AwsSettings& settings, const SsoLogin& login, const std::string& token) {
  std::string endpoint = settings.ConfiguredEndpoint("sso");
  if (endpoint.empty()) endpoint = "https://portal.sso." + login.region + "." + AwsDomain(login.region);
  HttpRequest request;
  request.url =
      endpoint + "/federation/credentials?" + FormBody({{"account_id", login.account}, {"role_name", login.role}});
  request.headers = {{"x-amz-sso_bearer_token", token}};
  request.follow_redirects = false;
  request.tls = settings.tls;
  Result<Answer> answer = Retrier(settings.io, settings.retry).Send([&]() -> Result<HttpRequest> { return request; });
  if (!answer.ok()) return answer.status();
  return std::move(answer->response);
}

}  // namespace

Result<AwsCredentials> SsoCredentials(const AwsSettings& settings, const AwsSection& profile, const std::string& name) {
  const Result<SsoLogin> login = ReadSsoLogin(settings, profile, name);
  if (!login.ok()) return login.status();
  const std::string token = CachedToken(settings, login.value());
  // The command renews what can be renewed without the user.
  if (token.empty()) return DelegatedCredentials(name, "its login has expired or was never made");
  const std::string what = "the SSO credentials of the AWS profile '" + name + "'";
  const Result<HttpResponse> response = AskPortal(settings, login.value(), token);
  if (!response.ok()) return response.status().Wrap(what);
  if (response.value().status == 401) return DelegatedCredentials(name, "its login is not accepted any more");
  if (!response.value().ok()) {
    return Status(Code::kUnauthenticated, what + ": " + ReadAwsError(response.value()).Text(response.value().status));
  }
  const auto fields = FlatJson::Parse(response.value().body);
  if (!fields || !fields->Has("roleCredentials.accessKeyId")) {
    return Status(Code::kUnauthenticated, what + ": the answer holds none");
  }
  return AwsCredentials{.access_key = fields->Text("roleCredentials.accessKeyId"),
                        .secret_key = fields->Text("roleCredentials.secretAccessKey"),
                        .session_token = fields->Text("roleCredentials.sessionToken"),
                        .expires_ms = std::atoll(fields->Text("roleCredentials.expiration").c_str()),
                        .source = "SSO of the profile '" + name + "'"};
}

}  // namespace kingpost
