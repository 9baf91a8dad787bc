// SPDX-License-Identifier: Apache-2.0
// hashivault://KEY[?engine=transit]: the transit engine of a HashiCorp Vault, or of what speaks its language. Where it
// is, as whom, and whom to trust is said by the variables of Vault's own client.
#include "base/encoding.h"
#include "base/os.h"
#include "base/percent.h"
#include "remote/cloud/flat_json.h"
#include "remote/cloud/keys/key_service.h"
#include "remote/cloud/retry.h"
#include "remote/cloud/service_url.h"

namespace kingpost {

namespace {

constexpr int kVaultRetries = 2;

std::string EitherVariable(const char* first, const char* second) {
  const std::string text = GetEnvironment(first);
  return text.empty() ? GetEnvironment(second) : text;
}

// Nodes of one service differ in the first part of their names, vault-1.acme.com and vault-2.acme.com, or have names
// without a domain. A redirect may come from another server in its place, so a token does not follow to any other host.
bool IsSameService(const std::string& from, const std::string& to) {
  if (from.starts_with("https:") && !to.starts_with("https:")) return false;
  if (HostOfUrl(to).empty()) return false;
  const std::string host = HostOfUrl(from), other = HostOfUrl(to);
  if (host == other) return true;
  const auto is_address = [](const std::string& name) {
    return name.find_first_not_of("0123456789.") == std::string::npos || name.find(':') != std::string::npos;
  };
  const size_t dot = host.find('.'), other_dot = other.find('.');
  if (dot == std::string::npos || other_dot == std::string::npos) return dot == other_dot;
  if (is_address(host) || is_address(other)) return false;
  const std::string domain = host.substr(dot + 1);
  return domain.find('.') != std::string::npos && other.substr(other_dot + 1) == domain;
}

struct VaultAccess {
  std::string address, token, space;
  TlsOptions tls;
  RetryPolicy retry;
};

Result<VaultAccess> AccessOfEnvironment() {
  VaultAccess access;
  access.address = EitherVariable("VAULT_SERVER_URL", "VAULT_ADDR");
  while (access.address.ends_with('/')) access.address.pop_back();
  if (access.address.empty()) {
    return Status(Code::kInvalidArgument, "neither VAULT_SERVER_URL nor VAULT_ADDR is set: say where Vault is");
  }
  if (!GetEnvironment("VAULT_TLS_SERVER_NAME").empty()) {
    return Status(Code::kUnimplemented,
                  "VAULT_TLS_SERVER_NAME is not supported: name the server in VAULT_ADDR as its certificate does");
  }
  access.token = EitherVariable("VAULT_SERVER_TOKEN", "VAULT_TOKEN");
  access.space = GetEnvironment("VAULT_NAMESPACE");
  access.tls.ca_file = GetEnvironment("VAULT_CACERT");
  access.tls.ca_folder = GetEnvironment("VAULT_CAPATH");
  access.tls.client_certificate = GetEnvironment("VAULT_CLIENT_CERT");
  access.tls.client_key = GetEnvironment("VAULT_CLIENT_KEY");
  access.tls.verify = !ParseGoBool(GetEnvironment("VAULT_SKIP_VERIFY")).value_or(false);
  const std::string retries = GetEnvironment("VAULT_MAX_RETRIES");
  access.retry.attempts_max = 1 + (retries.empty() ? kVaultRetries : std::max(0, std::atoi(retries.c_str())));
  return access;
}

class VaultTransit : public KeyService {
 public:
  VaultTransit(std::string key, std::string engine, VaultAccess access, std::shared_ptr<const CloudIo> io)
      : key_(std::move(key)),
        engine_(std::move(engine)),
        access_(std::move(access)),
        retrier_(std::move(io), access_.retry) {}

  // A stack keeps Vault's text, vault:v1:...
  Result<std::string> Encrypt(const std::string& plaintext) override {
    return Ask("encrypt", JsonOf({{"plaintext", Base64Encode(plaintext)}}), "data.ciphertext");
  }
  Result<std::string> Decrypt(const std::string& ciphertext) override {
    const Result<std::string> text = Ask("decrypt", JsonOf({{"ciphertext", ciphertext}}), "data.plaintext");
    if (!text.ok()) return text;
    auto bytes = Base64Decode(text.value());
    if (!bytes) return Status(Code::kUnavailable, What("decrypt") + ": its answer is not base64");
    return std::move(*bytes);
  }

 private:
  std::string What(const std::string& action) const {
    return "the key '" + key_ + "' of Vault at " + PrintableUrl(access_.address) + " cannot " + action;
  }

  HttpRequest RequestFor(const std::string& action, const std::string& body) const {
    HttpRequest request;
    request.method = "PUT";
    request.url = access_.address + "/v1/" + PercentEncodePath(engine_) + "/" + action + "/" + PercentEncodePath(key_);
    request.headers = {{"X-Vault-Request", "true"}, {"Content-Type", "application/json"}};
    if (!access_.token.empty()) request.headers.emplace_back("X-Vault-Token", access_.token);
    if (!access_.space.empty()) request.headers.emplace_back("X-Vault-Namespace", access_.space);
    request.body = body;
    request.tls = access_.tls;
    request.follow_redirects = false;
    return request;
  }

  Result<std::string> Ask(const std::string& action, const std::string& body, const std::string& wanted) {
    std::string standby;  // a node that does not lead says who does
    const auto make = [&]() -> Result<HttpRequest> {
      HttpRequest request = RequestFor(action, body);
      if (!standby.empty()) request.url = standby;
      return request;
    };
    const auto judge = [&](const Result<HttpResponse>& seen) {
      const bool moved = seen.ok() && seen.value().status == 307 && standby.empty();
      if (!moved) return IsTransientFailure(seen) ? Verdict::kAgain : Verdict::kFinal;
      standby = seen.value().header("location");
      return IsSameService(access_.address, standby) ? Verdict::kAtOnce : Verdict::kFinal;
    };
    const Result<Answer> answer = retrier_.Send(make, judge);
    if (!answer.ok()) return answer.status().Wrap(What(action));
    const HttpResponse& response = answer.value().response;
    if (response.status == 307) {
      return {Code::kUnavailable, What(action) + ": it redirects to " + PrintableUrl(standby) +
                                      ", and the token is not sent to another service; if that is the active node, "
                                      "name it in VAULT_ADDR"};
    }
    const auto fields = FlatJson::Parse(response.body);
    const std::string found = fields ? fields->Text(wanted) : "";
    if (response.ok() && !found.empty()) return found;
    return Refusal(action, response, fields ? fields->Text("errors.0") : "");
  }

  Status Refusal(const std::string& action, const HttpResponse& response, const std::string& told) const {
    const std::string why = told.empty() ? "HTTP " + std::to_string(response.status) : told;
    if (response.status != 403) return {Code::kUnavailable, What(action) + ": " + why};
    return {Code::kPermissionDenied,
            What(action) + ": " + why + "; the token needs a policy that allows update on " + engine_ + "/" + action +
                "/" + key_ + (access_.token.empty() ? " (neither VAULT_SERVER_TOKEN nor VAULT_TOKEN is set)" : "")};
  }

  const std::string key_, engine_;
  const VaultAccess access_;
  const Retrier retrier_;
};

}  // namespace

Result<std::unique_ptr<KeyService>> OpenVaultTransit(const std::string& text,
                                                     const std::shared_ptr<const CloudIo>& io) {
  Result<ServiceUrl> url = ServiceUrl::Parse(text);
  if (!url.ok()) return url.status();
  const std::string key = url->host() + (url->path().empty() ? "" : "/" + url->path());
  if (key.empty()) return Status(Code::kInvalidArgument, "the URL names no key: expected hashivault://KEY");
  const std::string engine = url->Take("engine").value_or("transit");
  KP_TRY(url->RefuseOthers("engine"));
  Result<VaultAccess> access = AccessOfEnvironment();
  if (!access.ok()) return access.status();
  return std::unique_ptr<KeyService>(std::make_unique<VaultTransit>(key, engine, std::move(*access), io));
}

}  // namespace kingpost
