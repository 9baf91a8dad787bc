// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/aws/sigv4.h"

#include <algorithm>
#include <map>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/text.h"
#include "remote/cloud/signatures.h"

namespace kingpost {

namespace {

// The host as it goes into the header Host: without the port that its scheme has anyway.
std::string HostHeader(const std::string& endpoint) {
  const std::string host = endpoint.substr(endpoint.find("://") + 3);
  const std::string usual_port = endpoint.starts_with("https:") ? ":443" : ":80";
  return host.ends_with(usual_port) ? host.substr(0, host.size() - usual_port.size()) : host;
}

std::string CanonicalQuery(const Parameters& query) {
  Parameters encoded;
  for (const auto& [name, value] : query) encoded.emplace_back(PercentEncode(name), PercentEncode(value));
  std::sort(encoded.begin(), encoded.end());
  std::string text;
  for (const auto& [name, value] : encoded) text += (text.empty() ? "" : "&") + name + "=" + value;
  return text;
}

// Without empty segments, "." and "..".
std::string NormalizePath(const std::string& path) {
  std::vector<std::string> segments;
  bool ends_open = true;  // with "/"
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string segment = path.substr(begin, end - begin);
    ends_open = segment.empty() || segment == "." || segment == ".." || end < path.size();
    if (segment == ".." && !segments.empty()) segments.pop_back();
    if (!segment.empty() && segment != "." && segment != "..") segments.push_back(segment);
    begin = end + 1;
  }
  std::string normal;
  for (const std::string& segment : segments) normal += "/" + segment;
  return ends_open || normal.empty() ? normal + "/" : normal;
}

// Without blanks around, and with one for each run of them inside.
std::string TrimmedValue(const std::string& value) {
  std::string trimmed;
  for (const char c : value) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) trimmed += c;
    if (blank && !trimmed.empty() && trimmed.back() != ' ') trimmed += ' ';
  }
  if (trimmed.ends_with(' ')) trimmed.pop_back();
  return trimmed;
}

// By name; values of one name in the order in which they are sent.
std::map<std::string, std::string> CanonicalHeaders(const Parameters& headers) {
  std::map<std::string, std::string> canonical;
  for (const auto& [name, value] : headers) {
    const auto [at, is_new] = canonical.try_emplace(Lowered(name), TrimmedValue(value));
    if (!is_new) at->second += "," + TrimmedValue(value);
  }
  return canonical;
}

struct CanonicalRequest {
  std::string text, signed_headers;
};

CanonicalRequest Canonicalize(const AwsRequest& request, const Parameters& headers, const SigningScope& scope,
                              const std::string& body_digest) {
  CanonicalRequest canonical;
  std::string lines;
  for (const auto& [name, value] : CanonicalHeaders(headers)) {
    lines += name + ":" + value + "\n";
    canonical.signed_headers += (canonical.signed_headers.empty() ? "" : ";") + name;
  }
  const std::string path = scope.path_as_sent ? request.path : PercentEncodePath(NormalizePath(request.path));
  canonical.text = request.method + "\n" + path + "\n" + CanonicalQuery(request.query) + "\n" + lines + "\n" +
                   canonical.signed_headers + "\n" + body_digest;
  return canonical;
}

std::string SignatureOf(const std::string& text, const std::string& secret_key, const SigningScope& scope) {
  std::string key = HmacSha256("AWS4" + secret_key, scope.basic_time.substr(0, 8));
  for (const std::string& part : {scope.region, scope.service, std::string("aws4_request")}) {
    key = HmacSha256(key, part);
  }
  return HexEncode(HmacSha256(key, text));
}

}  // namespace

HttpRequest SignForAws(const AwsRequest& request, const AwsCredentials& credentials, const SigningScope& scope) {
  const std::string query = CanonicalQuery(request.query);
  HttpRequest http;
  http.method = request.method;
  http.url = request.endpoint + request.path + (query.empty() ? "" : "?" + query);
  http.follow_redirects = false;
  http.headers = request.headers;
  http.headers.emplace_back("Host", HostHeader(request.endpoint));
  http.body = request.body;
  if (credentials.anonymous()) return http;

  const std::string digest = Sha256Hex(request.body);
  http.headers.emplace_back("X-Amz-Date", scope.basic_time);
  if (scope.service == "s3") http.headers.emplace_back("X-Amz-Content-Sha256", digest);
  if (!credentials.session_token.empty()) http.headers.emplace_back("X-Amz-Security-Token", credentials.session_token);
  const CanonicalRequest canonical = Canonicalize(request, http.headers, scope, digest);
  const std::string scope_text =
      scope.basic_time.substr(0, 8) + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string to_sign =
      "AWS4-HMAC-SHA256\n" + scope.basic_time + "\n" + scope_text + "\n" + Sha256Hex(canonical.text);
  http.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=" + credentials.access_key + "/" +
                                                 scope_text + ", SignedHeaders=" + canonical.signed_headers +
                                                 ", Signature=" + SignatureOf(to_sign, credentials.secret_key, scope));
  return http;
}

}  // namespace kingpost
