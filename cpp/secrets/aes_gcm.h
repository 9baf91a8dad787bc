// SPDX-License-Identifier: Apache-2.0
// The text form of one encrypted value: v1:base64(nonce):base64(ciphertext and tag), AES-256-GCM without extra data.
#pragma once

#include <string>

#include "base/status.h"
#include "secrets/key_derivation.h"

namespace kingpost {

Result<std::string> SealText(const std::string& plaintext, const SecretKey& key);
Result<std::string> OpenText(const std::string& text, const SecretKey& key);

}  // namespace kingpost
