// SPDX-License-Identifier: Apache-2.0
// The kinds of files that Google's tools write, and how each becomes a token.
#include "base/percent.h"
#include "base/time_text.h"
#include "remote/cloud/gcp/credentials.h"
#include "remote/cloud/helper_command.h"
#include "remote/cloud/signatures.h"

namespace kingpost {

namespace {

constexpr char kGoogleTokenUrl[] = "https://oauth2.googleapis.com/token";
constexpr char kJwtGrant[] = "urn:ietf:params:oauth:grant-type:jwt-bearer";
constexpr char kExchangeGrant[] = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr char kAccessTokenType[] = "urn:ietf:params:oauth:token-type:access_token";
constexpr int64_t kJwtSeconds = 3600;

// One file on its way to a token; nested ones share it.
class FileReader {
 public:
  FileReader(const std::shared_ptr<const CloudIo>& io, const FlatJson& file, std::string prefix, std::string scope)
      : io_(io), file_(file), prefix_(std::move(prefix)), scope_(std::move(scope)) {}

  Result<AccessToken> Token() const {
    const std::string type = Field("type");
    if (type == "service_account") return OfServiceAccount();
    if (type == "authorized_user") return OfUser();
    if (type == "external_account") return OfExternalAccount();
    if (type == "impersonated_service_account") return OfImpersonated();
    if (type == "external_account_authorized_user") return OfGcloud();
    return Status(Code::kInvalidArgument, "unknown type of Google credentials '" + type +
                                              "'; known are service_account, authorized_user, external_account and "
                                              "impersonated_service_account");
  }

 private:
  std::string Field(const std::string& name) const { return file_.Text(prefix_ + name); }
  std::string Field(const std::string& name, const std::string& otherwise) const {
    const std::string text = Field(name);
    return text.empty() ? otherwise : text;
  }

  // A statement signed with the account's private key.
  Result<AccessToken> OfServiceAccount() const {
    const std::string url = Field("token_uri", kGoogleTokenUrl), account = Field("client_email");
    const int64_t now = io_->now_ms() / 1000;
    const std::string claims = "{\"iss\":" + JsonText(account) + ",\"scope\":" + JsonText(scope_) +
                               ",\"aud\":" + JsonText(url) + ",\"iat\":" + std::to_string(now) +
                               ",\"exp\":" + std::to_string(now + kJwtSeconds) + "}";
    const std::string header = JsonOf({{"alg", "RS256"}, {"typ", "JWT"}, {"kid", Field("private_key_id")}});
    const std::string text = Base64UrlEncode(header) + "." + Base64UrlEncode(claims);
    const Result<std::string> signature = SignRs256(Field("private_key"), text);
    if (!signature.ok()) return signature.status().Wrap("the service account " + account);
    const std::string assertion = text + "." + Base64UrlEncode(*signature);
    return PostForToken(io_, url, FormBody({{"grant_type", kJwtGrant}, {"assertion", assertion}}),
                        "the service account " + account);
  }

  Result<AccessToken> OfUser() const {
    const std::string form = FormBody({{"grant_type", "refresh_token"},
                                       {"client_id", Field("client_id")},
                                       {"client_secret", Field("client_secret")},
                                       {"refresh_token", Field("refresh_token")}});
    return PostForToken(io_, Field("token_uri", kGoogleTokenUrl), form,
                        "the login of gcloud ('gcloud auth application-default login' renews it)");
  }

  // The token of another provider for one of Google's, and perhaps that for a service account's.
  Result<AccessToken> OfExternalAccount() const {
    const Result<SubjectToken> subject = FindSubjectToken(io_, file_, prefix_);
    if (!subject.ok()) return subject.status();
    const std::string impersonation = Field("service_account_impersonation_url");
    Parameters fields = {{"grant_type", kExchangeGrant},
                         {"audience", Field("audience")},
                         {"scope", impersonation.empty() ? scope_ : kGcpCloudScope},
                         {"requested_token_type", kAccessTokenType},
                         {"subject_token_type", subject.value().type},
                         {"subject_token", subject.value().text}};
    const std::string project = Field("workforce_pool_user_project");
    if (!project.empty()) fields.emplace_back("options", JsonOf({{"userProject", project}}));
    Result<AccessToken> token = PostForToken(io_, Field("token_url", "https://sts.googleapis.com/v1/token"),
                                             FormBody(fields), "workload identity federation");
    if (!token.ok() || impersonation.empty()) return token;
    return Impersonate(*token, impersonation);
  }

  Result<AccessToken> OfImpersonated() const {
    const Result<AccessToken> source = TokenOfGcpFile(io_, file_, prefix_ + "source_credentials.", kGcpCloudScope);
    if (!source.ok()) return source;
    return Impersonate(*source, Field("service_account_impersonation_url"));
  }

  // Logins that only Google's own command can do.
  Result<AccessToken> OfGcloud() const {
    const Result<std::string> output = RunHelper({"gcloud", "auth", "application-default", "print-access-token"});
    if (!output.ok()) return output.status().Wrap("credentials of this type are asked of gcloud");
    return AccessToken{output.value().substr(0, output.value().find_first_of("\r\n")), 0};
  }

  std::string Delegates() const {
    std::string list;
    for (int i = 0; file_.Has(prefix_ + "delegates." + std::to_string(i)); ++i) {
      list += (i ? "," : "") + JsonText(Field("delegates." + std::to_string(i)));
    }
    return list;
  }

  Result<AccessToken> Impersonate(const AccessToken& with, const std::string& url) const {
    const std::string what = "taking on the service account of " + PrintableUrl(url);
    HttpRequest request;
    request.method = "POST";
    request.url = url;
    request.headers = {{"Content-Type", "application/json"}, {"Authorization", "Bearer " + with.text}};
    request.body = "{\"delegates\":[" + Delegates() + "],\"scope\":[" + JsonText(scope_) + "],\"lifetime\":\"3600s\"}";
    request.follow_redirects = false;
    const Result<Answer> answer = Retrier(io_, RetryPolicy()).Send([&]() -> Result<HttpRequest> { return request; });
    if (!answer.ok()) return answer.status().Wrap(what);
    const HttpResponse& response = answer.value().response;
    const auto fields = FlatJson::Parse(response.body);
    if (!response.ok() || !fields || !fields->Has("accessToken")) {
      return ReadTokenAnswer(response, io_->now_ms(), what).status();
    }
    return AccessToken{fields->Text("accessToken"), std::max<int64_t>(0, ParseIsoTime(fields->Text("expireTime")))};
  }

  const std::shared_ptr<const CloudIo>& io_;
  const FlatJson& file_;
  const std::string prefix_, scope_;
};

}  // namespace

Result<AccessToken> TokenOfGcpFile(const std::shared_ptr<const CloudIo>& io, const FlatJson& file,
                                   const std::string& prefix, const std::string& scope) {
  return FileReader(io, file, prefix, scope).Token();
}

}  // namespace kingpost
