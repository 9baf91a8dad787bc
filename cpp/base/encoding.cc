// SPDX-License-Identifier: Apache-2.0
#include "base/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

namespace kingpost {

namespace {

constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kHex[] = "0123456789abcdef";

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::array<int8_t, 256> DecodeTable() {
  std::array<int8_t, 256> table;
  table.fill(-1);
  for (int i = 0; i < 64; ++i) table[static_cast<unsigned char>(kBase64[i])] = static_cast<int8_t>(i);
  return table;
}

// Characters beyond ASCII that show nothing, or show the text around them in another order: blanks, format characters
// and control characters.
bool IsInvisible(uint32_t point) {
  constexpr std::pair<uint32_t, uint32_t> kRanges[] = {
      {0x80, 0xA0},     {0xAD, 0xAD},     {0x600, 0x605},   {0x61C, 0x61C},   {0x6DD, 0x6DD},   {0x70F, 0x70F},
      {0x890, 0x891},   {0x8E2, 0x8E2},   {0x1680, 0x1680}, {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F},
      {0x205F, 0x206F}, {0x3000, 0x3000}, {0xD800, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [point](const auto& range) { return point >= range.first && point <= range.second; });
}

// Takes two to four bytes.
void AppendCharacter(std::string_view character, std::string* out) {
  const uint32_t point = CodePoint(character);
  if (!IsInvisible(point)) {
    out->append(character);
    return;
  }
  *out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) *out += kHex[point >> shift & 15];
}

void AppendByte(unsigned char c, bool is_broken, std::string* out) {
  constexpr std::string_view kSpecial = "\a\b\t\n\v\f\r\"\\", kLetters = "abtnvfr\"\\";
  if (const size_t at = kSpecial.find(static_cast<char>(c)); at != std::string_view::npos) {
    *out += '\\';
    *out += kLetters[at];
  } else if (is_broken || c < 0x20 || c == 0x7F) {
    *out += "\\x";
    *out += kHex[c >> 4];
    *out += kHex[c & 15];
  } else {
    *out += static_cast<char>(c);
  }
}

}  // namespace

size_t Utf8Length(std::string_view text, size_t i) {
  const auto at = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char c = at(i);
  if (c < 0x80) return 1;
  size_t n = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
  if (c < 0xC2 || c > 0xF4 || i + n > text.size()) return 0;
  for (size_t k = 1; k < n; ++k) {
    if ((at(i + k) & 0xC0) != 0x80) return 0;
  }
  if (c == 0xE0 && at(i + 1) < 0xA0) return 0;  // overlong
  if (c == 0xED && at(i + 1) > 0x9F) return 0;  // surrogates
  if (c == 0xF0 && at(i + 1) < 0x90) return 0;
  if (c == 0xF4 && at(i + 1) > 0x8F) return 0;
  return n;
}

std::string Base64Encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) out += k <= n ? kBase64[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::optional<std::string> Base64Decode(std::string_view text) {
  static const auto kTable = DecodeTable();
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); i += 4) {
    size_t n = 4;
    if (i + 4 == text.size()) {
      while (n > 2 && text[i + n - 1] == '=') --n;
    }
    uint32_t group = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int value = k < n ? kTable[static_cast<unsigned char>(text[i + k])] : 0;
      if (value < 0) return std::nullopt;
      group = group << 6 | static_cast<uint32_t>(value);
    }
    for (size_t k = 0; k + 1 < n; ++k) out += static_cast<char>(group >> (16 - 8 * k) & 255);
  }
  return out;
}

std::string HexEncode(std::string_view bytes) {
  std::string out;
  for (unsigned char c : bytes) {
    out += kHex[c >> 4];
    out += kHex[c & 15];
  }
  return out;
}

std::optional<std::string> HexDecode(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexValue(text[i]), low = HexValue(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
  }
  return out;
}

uint32_t CodePoint(std::string_view character) {
  uint32_t point = static_cast<unsigned char>(character[0]) & (0xFF >> (character.size() + 1));
  for (size_t i = 1; i < character.size(); ++i) point = point << 6 | (static_cast<unsigned char>(character[i]) & 0x3F);
  return point;
}

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const size_t n = Utf8Length(text, i);
    if (n > 1) {
      AppendCharacter(text.substr(i, n), &out);
      i += n;
    } else {
      AppendByte(static_cast<unsigned char>(text[i++]), n == 0, &out);
    }
  }
  return out + "\"";
}

bool IsValidUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    uint64_t word = 0;  // eight bytes of ASCII at a time
    while (i + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + i, sizeof word);
      if (word & 0x8080808080808080u) break;
      i += sizeof word;
    }
    if (i == text.size()) break;
    const size_t n = Utf8Length(text, i);
    if (n == 0) return false;
    i += n;
  }
  return true;
}

std::string FormatUuid4(std::string_view random16) {
  std::string bytes(random16.substr(0, 16));
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);
  const std::string hex = HexEncode(bytes);
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" +
         hex.substr(20);
}

}  // namespace kingpost
