// SPDX-License-Identifier: Apache-2.0
// Credentials that the machine or the container itself is given.
#include "base/os.h"
#include "base/time_text.h"
#include "remote/cloud/aws/sources.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/small_file.h"

namespace kingpost {

namespace {

constexpr char kContainerHost[] = "http://169.254.170.2";
constexpr int64_t kMetadataConnectMs = 1000, kMetadataTotalMs = 5000;
constexpr int kMetadataAttempts = 3;

Result<HttpResponse> AskMetadata(const AwsSettings& settings, const std::string& method, const std::string& url,
                                 const Parameters& headers) {
  HttpRequest request;
  request.method = method;
  request.url = url;
  request.headers = headers;
  request.follow_redirects = false;
  request.direct = true;
  request.connect_ms = kMetadataConnectMs;
  request.total_ms = kMetadataTotalMs;
  RetryPolicy policy;
  policy.attempts_max = kMetadataAttempts;
  Result<Answer> answer = Retrier(settings.io, policy)
                              .Send([&]() -> Result<HttpRequest> { return request; },
                                    [](const Result<HttpResponse>& seen) {
                                      // Where nobody listens there is no metadata service: no reason to wait for one.
                                      return seen.ok() && IsTransientFailure(seen) ? Verdict::kAgain : Verdict::kFinal;
                                    });
  if (!answer.ok()) return answer.status();
  return std::move(answer->response);
}

Result<AwsCredentials> ReadMetadataKeys(const std::string& body, const std::string& source) {
  const auto fields = FlatJson::Parse(body);
  AwsCredentials credentials;
  if (fields) {
    credentials.access_key = fields->Text("AccessKeyId");
    credentials.secret_key = fields->Text("SecretAccessKey");
    credentials.session_token = fields->Text("Token");
    credentials.expires_ms = std::max<int64_t>(0, ParseIsoTime(fields->Text("Expiration")));
  }
  credentials.source = source;
  if (credentials.access_key.empty()) return Status(Code::kUnauthenticated, source + " gave no credentials");
  return credentials;
}

// Tokens go to this machine, to the addresses of container agents, or over TLS.
bool IsTrustedHost(const std::string& url) {
  if (url.starts_with("https://")) return true;
  for (const char* host : {"http://169.254.170.2", "http://169.254.170.23", "http://[fd00:ec2::23]", "http://localhost",
                           "http://127.0.0.1", "http://[::1]"}) {
    const std::string prefix = host;
    if (url.starts_with(prefix) &&
        (url.size() == prefix.size() || url[prefix.size()] == ':' || url[prefix.size()] == '/'))
      return true;
  }
  return false;
}

Result<Parameters> ContainerHeaders() {
  std::string token = GetEnvironment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  const std::string file = GetEnvironment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (!file.empty()) {
    const Result<std::string> read = ReadSmallFile(file);
    if (!read.ok()) return read.status().Wrap("cannot read AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    token = read.value();
  }
  if (token.find_first_of("\r\n") != std::string::npos) {
    return Status(Code::kInvalidArgument, "the token of AWS_CONTAINER_AUTHORIZATION_TOKEN[_FILE] has line ends in it");
  }
  Parameters headers;
  if (!token.empty()) headers.emplace_back("Authorization", token);
  return headers;
}

std::string MetadataHost(const AwsSettings& settings) {
  std::string host = GetEnvironment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  if (host.empty()) host = settings.OfProfile("ec2_metadata_service_endpoint");
  std::string mode = GetEnvironment("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
  if (mode.empty()) mode = settings.OfProfile("ec2_metadata_service_endpoint_mode");
  const bool ipv6 = mode == "IPv6" || mode == "ipv6" || mode == "IPV6";
  if (host.empty()) host = ipv6 ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
  while (host.ends_with('/')) host.pop_back();
  return host;
}

}  // namespace

Result<AwsCredentials> ContainerCredentials(const AwsSettings& settings, SourcesTried* tried) {
  const std::string relative = GetEnvironment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string url =
      relative.empty() ? GetEnvironment("AWS_CONTAINER_CREDENTIALS_FULL_URI") : kContainerHost + relative;
  if (url.empty()) {
    return tried->Note("container", "neither AWS_CONTAINER_CREDENTIALS_RELATIVE_URI nor _FULL_URI is set");
  }
  if (!IsTrustedHost(url)) {
    return Status(Code::kInvalidArgument, "AWS_CONTAINER_CREDENTIALS_FULL_URI leads to " + PrintableUrl(url) +
                                              ": expected https, this machine, or the address of a container agent");
  }
  const Result<Parameters> headers = ContainerHeaders();
  if (!headers.ok()) return headers.status();
  const Result<HttpResponse> response = AskMetadata(settings, "GET", url, headers.value());
  if (!response.ok()) return response.status().Wrap("the container's AWS credentials");
  if (!response.value().ok()) {
    return Status(Code::kUnauthenticated, "the container's AWS credentials: " + PrintableUrl(url) + " answered HTTP " +
                                              std::to_string(response.value().status));
  }
  return ReadMetadataKeys(response.value().body, "the container's credentials service");
}

Result<AwsCredentials> InstanceCredentials(const AwsSettings& settings, SourcesTried* tried) {
  constexpr char kSource[] = "instance metadata";
  if (IsTrueVariable("AWS_EC2_METADATA_DISABLED")) return tried->Note(kSource, "AWS_EC2_METADATA_DISABLED is set");
  const std::string host = MetadataHost(settings);
  const Result<HttpResponse> token =
      AskMetadata(settings, "PUT", host + "/latest/api/token", {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}});
  if (!token.ok() || !token.value().ok()) return tried->Note(kSource, "no metadata service at " + PrintableUrl(host));
  const Parameters headers = {{"X-aws-ec2-metadata-token", token.value().body}};
  const std::string folder = host + "/latest/meta-data/iam/security-credentials/";
  const Result<HttpResponse> roles = AskMetadata(settings, "GET", folder, headers);
  const std::string role =
      roles.ok() && roles.value().ok() ? roles.value().body.substr(0, roles.value().body.find_first_of("\r\n")) : "";
  if (role.empty()) return tried->Note(kSource, "the machine has no role");
  const Result<HttpResponse> keys = AskMetadata(settings, "GET", folder + PercentEncode(role), headers);
  if (!keys.ok() || !keys.value().ok()) {
    return Status(Code::kUnauthenticated, "the machine's metadata service gives no credentials of its role " + role);
  }
  return ReadMetadataKeys(keys.value().body, "instance metadata");
}

}  // namespace kingpost
