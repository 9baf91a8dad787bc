// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/gcp/credentials.h"

#include "base/os.h"
#include "base/percent.h"
#include "remote/cloud/small_file.h"

namespace kingpost {

namespace {

constexpr int64_t kGcpMetadataConnectMs = 1000, kGcpMetadataTotalMs = 5000;

Result<AccessToken> TokenOfText(const std::shared_ptr<const CloudIo>& io, const std::string& json,
                                const std::string& where, const std::string& scope) {
  const auto file = FlatJson::Parse(json);
  if (!file)
    return Status(Code::kInvalidArgument,
                  where + " is not the JSON of Google credentials: name a key file, or its content");
  Result<AccessToken> token = TokenOfGcpFile(io, *file, "", scope);
  return token.ok() ? token : token.status().Wrap(where);
}

std::string GcloudFile() {
  const std::string folder = GetEnvironment("CLOUDSDK_CONFIG");
  return (folder.empty() ? UserHome() + "/.config/gcloud" : folder) + "/application_default_credentials.json";
}

Result<AccessToken> TokenOfMachine(const std::shared_ptr<const CloudIo>& io, const std::string& scope) {
  std::string host = GetEnvironment("GCE_METADATA_HOST");
  if (host.empty()) host = "169.254.169.254";
  HttpRequest request;
  request.url =
      "http://" + host + "/computeMetadata/v1/instance/service-accounts/default/token?" + FormBody({{"scopes", scope}});
  request.headers = {{"Metadata-Flavor", "Google"}};
  request.direct = true;
  request.follow_redirects = false;
  request.connect_ms = kGcpMetadataConnectMs;
  request.total_ms = kGcpMetadataTotalMs;
  const Result<HttpResponse> response = io->send(request);
  if (!response.ok()) return Status(Code::kNotFound, "no metadata service at http://" + host);
  return ReadTokenAnswer(response.value(), io->now_ms(), "the machine's service account");
}

}  // namespace

Result<AccessToken> FindGcpToken(const std::shared_ptr<const CloudIo>& io, const std::string& scope) {
  const std::string given = GetEnvironment("GOOGLE_CREDENTIALS");
  if (!given.empty()) return TokenOfText(io, given, "GOOGLE_CREDENTIALS", scope);
  const std::string token = GetEnvironment("GOOGLE_OAUTH_ACCESS_TOKEN");
  if (!token.empty()) return AccessToken{token, 0};
  const std::string named = GetEnvironment("GOOGLE_APPLICATION_CREDENTIALS");
  if (!named.empty()) {
    const Result<std::string> text = ReadSmallFile(named);
    if (!text.ok()) return text.status().Wrap("GOOGLE_APPLICATION_CREDENTIALS");
    return TokenOfText(io, *text, named, scope);
  }
  const std::string usual = GcloudFile();
  const Result<std::string> text = ReadSmallFile(usual);
  if (text.ok()) return TokenOfText(io, *text, usual, scope);
  Result<AccessToken> of_machine = TokenOfMachine(io, scope);
  if (of_machine.ok() || of_machine.status().code() != Code::kNotFound) return of_machine;
  return Status(Code::kUnauthenticated,
                "no Google credentials were found. Tried:\n  GOOGLE_CREDENTIALS: not set\n  "
                "GOOGLE_OAUTH_ACCESS_TOKEN: not set\n  GOOGLE_APPLICATION_CREDENTIALS: not set\n  " +
                    usual +
                    ": not there; 'gcloud auth application-default login' makes it\n  the machine's service "
                    "account: " +
                    of_machine.status().message());
}

}  // namespace kingpost
