// SPDX-License-Identifier: Apache-2.0
#include "remote/cloud/keys/key_service.h"

namespace kingpost {

namespace {

using OpenKind = Result<std::unique_ptr<KeyService>> (*)(const std::string&, const std::shared_ptr<const CloudIo>&);

constexpr std::pair<const char*, OpenKind> kKinds[] = {
    {"awskms://", OpenAwsKms},
    {"azurekeyvault://", OpenAzureKeyVault},
    {"gcpkms://", OpenGcpKms},
    {"hashivault://", OpenVaultTransit},
};

}  // namespace

bool IsKeyServiceUrl(const std::string& url) {
  for (const auto& [scheme, open] : kKinds) {
    if (url.starts_with(scheme)) return true;
  }
  return false;
}

Result<std::unique_ptr<KeyService>> OpenKeyService(const std::string& url, const std::shared_ptr<const CloudIo>& io) {
  for (const auto& [scheme, open] : kKinds) {
    if (url.starts_with(scheme)) return open(url, io);
  }
  return Status(Code::kInvalidArgument, "the URL names no key service that is known");
}

}  // namespace kingpost
