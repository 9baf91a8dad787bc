// SPDX-License-Identifier: Apache-2.0
// awskms://KEY[?region=&profile=&role=&endpoint=&context_NAME=VALUE]: AWS Key Management Service. KEY is an id,
// alias/NAME, or after a third "/" an ARN.
#include "base/encoding.h"
#include "remote/cloud/aws/client.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/keys/key_service.h"

namespace kingpost {

namespace {

constexpr char kKmsParameters[] =
    "region, profile, role, endpoint, hostname_immutable, anonymous, dualstack, fips, rate_limiter_capacity, awssdk "
    "and "
    "context_NAME";

class AwsKms : public KeyService {
 public:
  AwsKms(std::string key, std::string endpoint, std::map<std::string, std::string> context, AwsSettings settings)
      : key_(std::move(key)),
        endpoint_(std::move(endpoint)),
        context_(std::move(context)),
        client_("kms", std::move(settings)) {}

  Result<std::string> Encrypt(const std::string& plaintext) override {
    return Ask("Encrypt", "\"KeyId\":" + JsonText(key_) + ",\"Plaintext\":" + JsonText(Base64Encode(plaintext)),
               "CiphertextBlob");
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    return Ask("Decrypt", "\"CiphertextBlob\":" + JsonText(Base64Encode(ciphertext)), "Plaintext");
  }

 private:
  Result<std::string> Ask(const std::string& action, const std::string& fields, const std::string& wanted) {
    AwsRequest request{.method = "POST", .endpoint = endpoint_};
    request.headers = {{"Content-Type", "application/x-amz-json-1.1"}, {"X-Amz-Target", "TrentService." + action}};
    request.body = "{" + fields + ContextField() + "}";
    const std::string what =
        "the key '" + key_ + "' of AWS KMS cannot " + (action == "Encrypt" ? "encrypt" : "decrypt");
    const Result<Answer> answer = client_.Send(request);
    if (!answer.ok()) return answer.status().Wrap(what);
    const HttpResponse& response = answer.value().response;
    if (!response.ok()) return Refusal(what, action, response);
    const auto read = FlatJson::Parse(response.body);
    auto bytes = Base64Decode(read ? read->Text(wanted) : "");
    if (!bytes || bytes->empty()) return Status(Code::kUnavailable, what + ": its answer holds no " + wanted);
    return std::move(*bytes);
  }

  std::string ContextField() const {
    if (context_.empty()) return "";
    return ",\"EncryptionContext\":" + JsonOf({context_.begin(), context_.end()});
  }

  static Status Refusal(const std::string& what, const std::string& action, const HttpResponse& response) {
    const AwsError error = ReadAwsError(response);
    const std::string text = what + ": " + error.Text(response.status);
    if (error.code == "AccessDeniedException") {
      return {Code::kPermissionDenied, text + "; the right that is needed is kms:" + action};
    }
    if (error.code == "InvalidCiphertextException") {
      return {Code::kInvalidArgument,
              text + "; it was encrypted by another key, in another region or account, or with another context"};
    }
    return {IsExpiredCredential(error) ? Code::kUnauthenticated : Code::kUnavailable, text};
  }

  const std::string key_, endpoint_;
  const std::map<std::string, std::string> context_;
  AwsClient client_;
};

}  // namespace

Result<std::unique_ptr<KeyService>> OpenAwsKms(const std::string& text, const std::shared_ptr<const CloudIo>& io) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  const std::string key = url->host() + (url->host().empty() || url->path().empty() ? "" : "/") + url->path();
  if (key.empty()) return Status(Code::kInvalidArgument, "the URL names no key: expected awskms://KEY?region=REGION");
  std::string endpoint = url->Take("endpoint").value_or("");
  const Result<bool> immutable = url->TakeBool("hostname_immutable");  // the host of KMS never changes
  if (!immutable.ok()) return immutable.status();
  std::map<std::string, std::string> context = url->TakeWithPrefix("context_");
  Result<AwsSettings> settings = AwsSettings::From(&*url, io);
  if (!settings.ok()) return settings.status();
  KP_TRY(url->RefuseOthers(kKmsParameters));
  KP_TRY(settings->CheckRegion());
  if (!endpoint.empty() && endpoint.find("://") == std::string::npos) endpoint = "https://" + endpoint;
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (endpoint.empty()) {
    const Result<std::string> own = settings->EndpointOf("kms");
    if (!own.ok()) return own.status();
    endpoint = own.value();
  }
  return std::unique_ptr<KeyService>(
      std::make_unique<AwsKms>(key, std::move(endpoint), std::move(context), std::move(*settings)));
}

}  // namespace kingpost
