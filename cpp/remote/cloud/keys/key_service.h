// SPDX-License-Identifier: Apache-2.0
// Services that encrypt a few bytes under a key that never leaves them: a stack's data key is kept as they encrypt it.
// The calls block; any thread.
#pragma once

#include <memory>
#include <string>

#include "remote/cloud/io.h"

namespace kingpost {

class KeyService {
 public:
  virtual ~KeyService() = default;

  // Raw bytes, and what a stack keeps of them (in base64). Errors hold neither.
  virtual Result<std::string> Encrypt(const std::string& plaintext) = 0;
  virtual Result<std::string> Decrypt(const std::string& ciphertext) = 0;
};

// awskms://, azurekeyvault://, gcpkms://, hashivault://
bool IsKeyServiceUrl(const std::string& url);
// Asks nobody yet. InvalidArgument for a URL that names no key or has a parameter that is not known.
Result<std::unique_ptr<KeyService>> OpenKeyService(const std::string& url,
                                                   const std::shared_ptr<const CloudIo>& io = SystemCloudIo());

// One of each kind.
Result<std::unique_ptr<KeyService>> OpenAwsKms(const std::string& url, const std::shared_ptr<const CloudIo>& io);
Result<std::unique_ptr<KeyService>> OpenAzureKeyVault(const std::string& url, const std::shared_ptr<const CloudIo>& io);
Result<std::unique_ptr<KeyService>> OpenGcpKms(const std::string& url, const std::shared_ptr<const CloudIo>& io);
Result<std::unique_ptr<KeyService>> OpenVaultTransit(const std::string& url, const std::shared_ptr<const CloudIo>& io);

}  // namespace kingpost
