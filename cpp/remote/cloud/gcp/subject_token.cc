// SPDX-License-Identifier: Apache-2.0
// Workload identity federation: the token of another provider is in a file, behind a URL, printed by a command, or a
// signed request to AWS.
#include "base/os.h"
#include "base/time_text.h"
#include "remote/cloud/aws/credentials.h"
#include "remote/cloud/gcp/credentials.h"
#include "remote/cloud/helper_command.h"
#include "remote/cloud/small_file.h"

namespace kingpost {

namespace {

constexpr char kWhat[] = "the subject token of workload identity federation";

// A token by itself, or a field of a JSON document.
Result<std::string> InFormat(const std::string& text, const FlatJson& file, const std::string& source) {
  std::string token = text;
  if (file.Text(source + "format.type") == "json") {
    const auto fields = FlatJson::Parse(text);
    token = fields ? fields->Text(file.Text(source + "format.subject_token_field_name")) : "";
  }
  if (token.empty()) return Status(Code::kUnauthenticated, std::string(kWhat) + ": its source has no token");
  return token;
}

Result<std::string> TokenBehindUrl(const std::shared_ptr<const CloudIo>& io, const FlatJson& file,
                                   const std::string& source) {
  HttpRequest request;
  request.url = file.Text(source + "url");
  const std::string headers = source + "headers.";
  for (auto at = file.values().lower_bound(headers); at != file.values().end() && at->first.starts_with(headers);
       ++at) {
    request.headers.emplace_back(at->first.substr(headers.size()), at->second);
  }
  const Result<Answer> answer = Retrier(io, RetryPolicy()).Send([&]() -> Result<HttpRequest> { return request; });
  if (!answer.ok()) return answer.status().Wrap(kWhat);
  if (answer.value().response.ok()) return InFormat(answer.value().response.body, file, source);
  return Status(Code::kUnauthenticated, std::string(kWhat) + ": " + PrintableUrl(request.url) + " answered HTTP " +
                                            std::to_string(answer.value().response.status));
}

// A command of the file's is only run if the user allows it.
Result<std::string> TokenOfCommand(const FlatJson& file, const std::string& source) {
  if (GetEnvironment("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES") != "1") {
    return Status(Code::kPermissionDenied, std::string(kWhat) +
                                               " is printed by a command: set "
                                               "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1 to allow that");
  }
  const Result<std::string> output = RunHelper({"/bin/sh", "-c", file.Text(source + "executable.command")});
  if (!output.ok()) {
    return Status(Code::kUnauthenticated, std::string(kWhat) +
                                              ": its command failed; run the executable.command of the credentials "
                                              "file by hand to see why");
  }
  const auto fields = FlatJson::Parse(*output);
  const std::string token = !fields                   ? ""
                            : fields->Has("id_token") ? fields->Text("id_token")
                                                      : fields->Text("saml_response");
  if (token.empty()) {
    return Status(Code::kUnauthenticated, std::string(kWhat) +

                                              ": its command printed no id_token or saml_response; run the "
                                              "executable.command of the credentials file by hand to see its output");
  }
  return token;
}

// A request that tells AWS who asks, signed and not sent: Google sends it.
Result<std::string> TokenOfAws(const std::shared_ptr<const CloudIo>& io, const FlatJson& file,
                               const std::string& source) {
  Result<ServiceUrl> url = ServiceUrl::Parse("aws://");
  Result<AwsSettings> settings = AwsSettings::From(&*url, io);
  if (!settings.ok()) return settings.status();
  KP_TRY(settings->CheckRegion());
  const Result<AwsCredentials> credentials = AwsCredentialSource(*settings).Get();
  if (!credentials.ok()) return credentials.status();
  std::string target = file.Text(source + "regional_cred_verification_url");
  const size_t place = target.find("{region}");
  if (place != std::string::npos) target.replace(place, 8, settings->region);
  const size_t query = std::min(target.find('?'), target.size());
  const size_t path = std::min(target.find('/', target.find("://") + 3), query);
  AwsRequest request{.method = "POST", .endpoint = target.substr(0, path)};
  if (path < query) request.path = target.substr(path, query - path);
  if (query < target.size()) request.query = SplitQuery(std::string_view(target).substr(query + 1));
  request.headers = {{"x-goog-cloud-target-resource", file.Text("audience")}};
  const HttpRequest signed_request =
      SignForAws(request, *credentials, {settings->region, "sts", FormatBasicTime(io->now_ms())});
  std::string headers;
  for (const auto& [name, value] : signed_request.headers) {
    headers += (headers.empty() ? "" : ",") + JsonOf({{"key", name}, {"value", value}});
  }
  return PercentEncode("{\"url\":" + JsonText(signed_request.url) + ",\"method\":\"POST\",\"headers\":[" + headers +
                       "]}");
}

}  // namespace

Result<SubjectToken> FindSubjectToken(const std::shared_ptr<const CloudIo>& io, const FlatJson& file,
                                      const std::string& prefix) {
  const std::string source = prefix + "credential_source.";
  Result<std::string> text =
      Status(Code::kInvalidArgument, std::string(kWhat) + ": credential_source names no file, url, executable or AWS");
  if (file.Has(source + "file")) {
    text = ReadSmallFile(file.Text(source + "file"));
    if (text.ok()) text = InFormat(*text, file, source);
  } else if (file.Text(source + "environment_id").starts_with("aws")) {
    text = TokenOfAws(io, file, source);
  } else if (file.Has(source + "url")) {
    text = TokenBehindUrl(io, file, source);
  } else if (file.Has(source + "executable.command")) {
    text = TokenOfCommand(file, source);
  }
  if (!text.ok()) return text.status();
  return SubjectToken{*text, file.Text(prefix + "subject_token_type")};
}

}  // namespace kingpost
