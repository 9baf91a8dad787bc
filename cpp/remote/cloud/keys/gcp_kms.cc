// SPDX-License-Identifier: Apache-2.0
// gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K[?additional_authenticated_data=BASE64URL]: Google Cloud KMS.
#include "base/encoding.h"
#include "base/os.h"
#include "base/percent.h"
#include "remote/cloud/gcp/credentials.h"
#include "remote/cloud/keys/key_service.h"
#include "remote/cloud/service_url.h"
#include "remote/cloud/signatures.h"

namespace kingpost {

namespace {

class GcpKms : public KeyService {
 public:
  GcpKms(std::string endpoint, std::string key, std::string extra, const std::shared_ptr<const CloudIo>& io)
      : endpoint_(std::move(endpoint)),
        key_(std::move(key)),
        extra_(std::move(extra)),
        client_(io, RetryPolicy(), [io] { return FindGcpToken(io, kGcpKmsScope); }) {}

  Result<std::string> Encrypt(const std::string& plaintext) override {
    return Ask("encrypt", {{"plaintext", Base64Encode(plaintext)}}, "ciphertext");
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    return Ask("decrypt", {{"ciphertext", Base64Encode(ciphertext)}}, "plaintext");
  }

 private:
  Result<std::string> Ask(const std::string& action, std::vector<std::pair<std::string, std::string>> fields,
                          const std::string& wanted) {
    if (!extra_.empty()) fields.emplace_back("additionalAuthenticatedData", extra_);
    HttpRequest request;
    request.method = "POST";
    request.url = endpoint_ + "/v1/" + PercentEncodePath(key_) + ":" + action;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = JsonOf(fields);
    const std::string what = "the key " + key_ + " of Google Cloud KMS cannot " + action;
    const Result<Answer> answer = client_.Send(request);
    if (!answer.ok()) return answer.status().Wrap(what);
    const HttpResponse& response = answer.value().response;
    const auto read = FlatJson::Parse(response.body);
    auto bytes = Base64Decode(read ? read->Text(wanted) : "");
    if (response.ok() && bytes && !bytes->empty()) return std::move(*bytes);
    const std::string told = read ? read->Text("error.message") : "";
    const std::string why = what + ": " + (told.empty() ? "HTTP " + std::to_string(response.status) : told);
    if (response.status != 403) return Status(Code::kUnavailable, why);
    return Status(Code::kPermissionDenied, why + "; the right that is needed is cloudkms.cryptoKeyVersions." +
                                               (action == "encrypt" ? "useToEncrypt" : "useToDecrypt"));
  }

  const std::string endpoint_, key_, extra_;
  BearerClient client_;
};

bool IsKeyName(const std::string& key) {
  return key.starts_with("projects/") && key.find("/locations/") != std::string::npos &&
         key.find("/keyRings/") != std::string::npos && key.find("/cryptoKeys/") != std::string::npos;
}

}  // namespace

Result<std::unique_ptr<KeyService>> OpenGcpKms(const std::string& text, const std::shared_ptr<const CloudIo>& io) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  const std::string key = url->host() + "/" + url->path();
  if (!IsKeyName(key)) {
    return Status(Code::kInvalidArgument,
                  "the URL names no key: expected gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K");
  }
  std::string extra = url->Take("additional_authenticated_data").value_or("");
  KP_TRY(url->RefuseOthers("additional_authenticated_data"));
  if (!extra.empty()) extra = Base64UrlToStandard(extra);
  if (!Base64Decode(extra)) {
    return Status(Code::kInvalidArgument, "additional_authenticated_data of " + url->printable() + " is not base64url");
  }
  // As the client of Google's own command lets one say, for other universes and for tests.
  std::string endpoint = GetEnvironment("CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS");
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (endpoint.empty()) endpoint = "https://cloudkms.googleapis.com";
  return std::unique_ptr<KeyService>(std::make_unique<GcpKms>(endpoint, key, extra, io));
}

}  // namespace kingpost
