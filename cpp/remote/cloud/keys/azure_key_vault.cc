// SPDX-License-Identifier: Apache-2.0
// azurekeyvault://VAULT.vault.azure.net/keys/NAME[/VERSION][?algorithm=RSA-OAEP-256]: Azure Key Vault.
//
// A stack keeps the ciphertext as a text, base64url without padding, inside the base64 of `encryptedkey`: the reference
// once had a library that did so. Some states lack the inner one.
#include "base/encoding.h"
#include "base/percent.h"
#include "remote/cloud/azure/credentials.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/keys/key_service.h"
#include "remote/cloud/service_url.h"
#include "remote/cloud/signatures.h"

namespace kingpost {

namespace {

constexpr char kVaultApi[] = "7.4";

bool IsBase64Url(const std::string& text) {
  return text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
         std::string::npos;
}

class AzureKeyVault : public KeyService {
 public:
  AzureKeyVault(std::string host, std::string key, std::string algorithm, const std::shared_ptr<const CloudIo>& io)
      : host_(std::move(host)),
        key_(std::move(key)),
        algorithm_(std::move(algorithm)),
        client_(io, RetryPolicy(), [io, resource = ResourceOf(host_)] { return FindAzureToken(io, resource); }) {}

  Result<std::string> Encrypt(const std::string& plaintext) override {
    return Ask("encrypt", Base64UrlEncode(plaintext));
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    const Result<std::string> text = Ask("decrypt", IsBase64Url(ciphertext) ? ciphertext : Base64UrlEncode(ciphertext));
    if (!text.ok()) return text;
    auto bytes = Base64Decode(Base64UrlToStandard(*text));
    if (!bytes) return Status(Code::kUnavailable, What("decrypt") + ": its answer is not base64url");
    return std::move(*bytes);
  }

 private:
  // That of the cloud which the vault is in: "https://vault.azure.net".
  static std::string ResourceOf(const std::string& host) { return "https://" + host.substr(host.find(".vault.") + 1); }

  std::string What(const std::string& action) const {
    return "the key " + key_ + " of Azure Key Vault " + host_ + " cannot " + action;
  }

  Result<std::string> Ask(const std::string& action, const std::string& value) {
    HttpRequest request;
    request.method = "POST";
    // Without a version there are two "/" in a row: the newest one.
    request.url = "https://" + host_ + "/keys/" + PercentEncodePath(key_) +
                  (key_.find('/') == std::string::npos ? "/" : "") + "/" + action + "?api-version=" + kVaultApi;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = JsonOf({{"alg", algorithm_}, {"value", value}});
    const Result<Answer> answer = client_.Send(request);
    if (!answer.ok()) return answer.status().Wrap(What(action));
    const HttpResponse& response = answer.value().response;
    const auto fields = FlatJson::Parse(response.body);
    const std::string found = fields ? fields->Text("value") : "";
    if (response.ok() && !found.empty()) return found;
    const std::string told = fields ? fields->Text("error.message") : "";
    const std::string why =
        What(action) + ": " +
        (told.empty() ? "HTTP " + std::to_string(response.status) : told.substr(0, told.find_first_of("\r\n")));
    if (response.status != 403) return Status(Code::kUnavailable, why);
    return Status(Code::kPermissionDenied, why + "; the role that is needed is Key Vault Crypto User");
  }

  const std::string host_, key_, algorithm_;
  BearerClient client_;
};

}  // namespace

Result<std::unique_ptr<KeyService>> OpenAzureKeyVault(const std::string& text,
                                                      const std::shared_ptr<const CloudIo>& io) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  const std::string key = url->path().starts_with("keys/") ? url->path().substr(5) : "";
  if (url->host().find(".vault.") == std::string::npos || key.empty()) {
    return Status(Code::kInvalidArgument,
                  "the URL names no key: expected azurekeyvault://VAULT.vault.azure.net/keys/NAME[/VERSION]");
  }
  const std::string algorithm = url->Take("algorithm").value_or("RSA-OAEP-256");
  KP_TRY(url->RefuseOthers("algorithm"));
  return std::unique_ptr<KeyService>(std::make_unique<AzureKeyVault>(url->host(), key, algorithm, io));
}

}  // namespace kingpost
