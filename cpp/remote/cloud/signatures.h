// SPDX-License-Identifier: Apache-2.0
// The primitives of request signatures, by OpenSSL. Raw bytes. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost {

std::string HmacSha256(std::string_view key, std::string_view bytes);
// Signed with a private key in PEM; an error that shows nothing of it.
Result<std::string> SignRs256(const std::string& private_key_pem, std::string_view bytes);

// URL-safe alphabet, without padding.
std::string Base64UrlEncode(std::string_view bytes);
std::string Base64UrlToStandard(std::string text);

}  // namespace kingpost
