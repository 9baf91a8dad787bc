// SPDX-License-Identifier: Apache-2.0
// Text forms of bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kingpost {

std::string Base64Encode(std::string_view bytes);                // standard alphabet, padded
std::optional<std::string> Base64Decode(std::string_view text);  // nullopt if not well formed
std::string HexEncode(std::string_view bytes);                   // lower case
std::optional<std::string> HexDecode(std::string_view text);
// Go's %q of a text: double quotes, with backslash escapes.
std::string Quote(std::string_view text);
bool IsValidUtf8(std::string_view text);
// The length of the UTF-8 sequence that starts at text[i], or 0 if there is none.
size_t Utf8Length(std::string_view text, size_t i);
// The character of a well-formed sequence of two to four bytes.
uint32_t CodePoint(std::string_view character);
// A version 4 UUID made of 16 random bytes.
std::string FormatUuid4(std::string_view random16);

}  // namespace kingpost
