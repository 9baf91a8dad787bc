// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/azure/credentials.h"

#include "base/os.h"
#include "base/percent.h"
#include "base/time_text.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/helper_command.h"
#include "remote/cloud/small_file.h"

namespace kingpost {

namespace {

constexpr char kAssertionType[] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
constexpr int64_t kAzureMetadataConnectMs = 1000, kAzureMetadataTotalMs = 10'000;

// One look through all sources.
class Search {
 public:
  Search(const std::shared_ptr<const CloudIo>& io, std::string resource)
      : io_(io),
        resource_(std::move(resource)),
        tenant_(GetEnvironment("AZURE_TENANT_ID")),
        client_(GetEnvironment("AZURE_CLIENT_ID")) {}

  Result<AccessToken> Run() {
    for (const auto source : {&Search::OfClient, &Search::OfWorkload, &Search::OfAppService, &Search::OfMachine,
                              &Search::OfAz, &Search::OfAzd}) {
      Result<AccessToken> token = (this->*source)();
      if (token.ok() || token.status().code() != Code::kNotFound) return token;
    }
    return Status(Code::kUnauthenticated, "no Azure credentials were found. Tried:" + tried_);
  }

 private:
  Status Note(const std::string& source, const std::string& why) {
    tried_ += "\n  " + source + ": " + why;
    return {Code::kNotFound, why};
  }

  std::string TokenUrl() const {
    std::string host = GetEnvironment("AZURE_AUTHORITY_HOST");
    while (host.ends_with('/')) host.pop_back();
    if (host.empty()) host = "https://login.microsoftonline.com";
    if (host.find("://") == std::string::npos) host = "https://" + host;
    return host + "/" + PercentEncode(tenant_) + "/oauth2/v2.0/token";
  }

  Result<AccessToken> PostAsClient(Parameters proof, const std::string& what) const {
    Parameters form = {
        {"grant_type", "client_credentials"}, {"client_id", client_}, {"scope", resource_ + "/.default"}};
    form.insert(form.end(), proof.begin(), proof.end());
    return PostForToken(io_, TokenUrl(), FormBody(form), what);
  }

  Result<AccessToken> OfClient() {
    constexpr char kSource[] = "client of the environment";
    const std::string secret = GetEnvironment("AZURE_CLIENT_SECRET");
    const std::string file = GetEnvironment("AZURE_CLIENT_CERTIFICATE_PATH");
    if (tenant_.empty() || client_.empty())
      return Note(kSource, "AZURE_TENANT_ID and AZURE_CLIENT_ID are not both set");
    if (!secret.empty()) return PostAsClient({{"client_secret", secret}}, "the Azure client " + client_);
    if (file.empty()) {
      return Note(kSource, "neither AZURE_CLIENT_SECRET nor AZURE_CLIENT_CERTIFICATE_PATH is set");
    }
    const Result<std::string> pem = ReadSmallFile(file);
    if (!pem.ok()) return Status(Code::kUnauthenticated, "AZURE_CLIENT_CERTIFICATE_PATH: " + pem.status().message());
    const Result<std::string> assertion = CertificateAssertion(*pem, client_, TokenUrl(), io_->now_ms());
    if (!assertion.ok()) return assertion.status().Wrap("AZURE_CLIENT_CERTIFICATE_PATH");
    return PostAsClient({{"client_assertion_type", kAssertionType}, {"client_assertion", *assertion}},
                        "the Azure client " + client_);
  }

  Result<AccessToken> OfWorkload() {
    const std::string file = GetEnvironment("AZURE_FEDERATED_TOKEN_FILE");
    if (file.empty() || tenant_.empty() || client_.empty()) {
      return Note("workload identity",
                  "AZURE_FEDERATED_TOKEN_FILE, AZURE_TENANT_ID and AZURE_CLIENT_ID are not all set");
    }
    const Result<std::string> token = ReadSmallFile(file);
    if (!token.ok()) return Status(Code::kUnauthenticated, "AZURE_FEDERATED_TOKEN_FILE: " + token.status().message());
    return PostAsClient({{"client_assertion_type", kAssertionType}, {"client_assertion", *token}},
                        "the workload identity " + client_);
  }

  Result<AccessToken> OfAppService() {
    const std::string endpoint = GetEnvironment("IDENTITY_ENDPOINT"), header = GetEnvironment("IDENTITY_HEADER");
    if (endpoint.empty() || header.empty()) {
      return Note("managed identity of the service", "IDENTITY_ENDPOINT and IDENTITY_HEADER are not both set");
    }
    return AskIdentity(endpoint, "2019-08-01", {"X-IDENTITY-HEADER", header}, "the service's managed identity");
  }

  Result<AccessToken> OfMachine() {
    constexpr char kSource[] = "managed identity of the machine";
    std::string host = GetEnvironment("AZURE_POD_IDENTITY_AUTHORITY_HOST");
    while (host.ends_with('/')) host.pop_back();
    if (host.empty()) host = "http://169.254.169.254";
    Result<AccessToken> token = AskIdentity(host + "/metadata/identity/oauth2/token", "2018-02-01",
                                            {"Metadata", "true"}, "the machine's managed identity");
    // No service, or a machine that has no identity: others may know one.
    return token.ok() ? token : Note(kSource, token.status().message());
  }

  Result<AccessToken> AskIdentity(const std::string& url, const std::string& version,
                                  const std::pair<std::string, std::string>& header, const std::string& what) const {
    Parameters query = {{"api-version", version}, {"resource", resource_}};
    if (!client_.empty()) query.emplace_back("client_id", client_);
    HttpRequest request;
    request.url = url + "?" + FormBody(query);
    request.headers = {header};
    request.direct = true;
    request.follow_redirects = false;
    request.connect_ms = kAzureMetadataConnectMs;
    request.total_ms = kAzureMetadataTotalMs;
    const Result<HttpResponse> response = io_->send(request);
    if (!response.ok()) return Status(Code::kUnauthenticated, what + ": no service answers at " + PrintableUrl(url));
    return ReadTokenAnswer(response.value(), io_->now_ms(), what);
  }

  Result<AccessToken> OfAz() {
    const Result<std::string> output =
        RunHelper({"az", "account", "get-access-token", "--output", "json", "--resource", resource_});
    if (!output.ok()) return Note("az", output.status().message() + "; 'az login' logs in");
    const auto fields = FlatJson::Parse(*output);
    if (!fields || !fields->Has("accessToken")) return Note("az", "it printed no accessToken");
    return AccessToken{fields->Text("accessToken"), std::atoll(fields->Text("expires_on").c_str()) * 1000};
  }

  Result<AccessToken> OfAzd() {
    const Result<std::string> output =
        RunHelper({"azd", "auth", "token", "--output", "json", "--no-prompt", "--scope", resource_ + "/.default"});
    if (!output.ok()) return Note("azd", output.status().message());
    const auto fields = FlatJson::Parse(*output);
    if (!fields || !fields->Has("token")) return Note("azd", "it printed no token");
    return AccessToken{fields->Text("token"), std::max<int64_t>(0, ParseIsoTime(fields->Text("expiresOn")))};
  }

  const std::shared_ptr<const CloudIo>& io_;
  const std::string resource_, tenant_, client_;
  std::string tried_;
};

}  // namespace

Result<AccessToken> FindAzureToken(const std::shared_ptr<const CloudIo>& io, const std::string& resource) {
  return Search(io, resource).Run();
}

}  // namespace kingpost
