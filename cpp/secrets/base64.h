// Standard base64 with padding, as the formats of secrets and of .attrs files use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kingpost {

std::string EncodeBase64(std::string_view bytes);
std::optional<std::string> DecodeBase64(std::string_view text);  // nullopt unless strictly well-formed

}  // namespace kingpost
