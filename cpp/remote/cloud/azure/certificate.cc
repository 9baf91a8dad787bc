// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"
#include "base/encoding.h"
#include "remote/cloud/azure/credentials.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/signatures.h"

namespace kingpost {

namespace {

constexpr int64_t kAssertionSeconds = 600;

// The bytes between the lines of the first certificate.
std::string CertificateBytes(const std::string& pem) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----", kEnd = "-----END CERTIFICATE-----";
  const size_t begin = pem.find(kBegin);
  const size_t end = begin == std::string::npos ? begin : pem.find(kEnd, begin);
  if (end == std::string::npos) return "";
  std::string text;
  for (const char c : pem.substr(begin + kBegin.size(), end - begin - kBegin.size())) {
    if (c != '\r' && c != '\n' && c != ' ') text += c;
  }
  return Base64Decode(text).value_or("");
}

}  // namespace

Result<std::string> CertificateAssertion(const std::string& pem, const std::string& client, const std::string& audience,
                                         int64_t now_ms) {
  const std::string certificate = CertificateBytes(pem);
  if (certificate.empty()) return Status(Code::kInvalidArgument, "the file holds no certificate in PEM");
  const std::string thumbprint = Base64UrlEncode(*HexDecode(Sha1Hex(certificate)));
  const std::string now = std::to_string(now_ms / 1000);
  const std::string header = JsonOf({{"alg", "RS256"}, {"typ", "JWT"}, {"x5t", thumbprint}});
  // Each is used once: the time and the thumbprint make a name that is nobody else's.
  const std::string claims = "{\"aud\":" + JsonText(audience) + ",\"iss\":" + JsonText(client) +
                             ",\"sub\":" + JsonText(client) +
                             ",\"jti\":" + JsonText(thumbprint + std::to_string(now_ms)) + ",\"nbf\":" + now +
                             ",\"exp\":" + std::to_string(now_ms / 1000 + kAssertionSeconds) + "}";
  const std::string text = Base64UrlEncode(header) + "." + Base64UrlEncode(claims);
  const Result<std::string> signature = SignRs256(pem, text);
  if (!signature.ok()) return signature.status();
  return text + "." + Base64UrlEncode(*signature);
}

}  // namespace kingpost
