// SPDX-License-Identifier: Apache-2.0
// How a secret may be written within a text.
#include <algorithm>
#include <cstdio>

#include "base/encoding.h"
#include "model/deployment_json.h"
#include "model/json_text.h"
#include "model/secret_texts.h"

namespace kingpost {

namespace {

std::string Unquoted(const std::string& quoted) { return quoted.substr(1, quoted.size() - 2); }

std::string AsJson(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return Unquoted(quoted);
}

// As Go writes it by default.
std::string AsHtmlJson(std::string_view text) {
  std::string quoted;
  AppendJsonStringForHtml(text, &quoted);
  return Unquoted(quoted);
}

void AppendUnit(unsigned unit, std::string* out) {
  char spelled[16];
  std::snprintf(spelled, sizeof spelled, "\\u%04x", unit);
  *out += spelled;
}

// JSON with nothing but ASCII, as Python writes it by default. `json` is JSON already.
std::string AsAscii(std::string_view json) {
  std::string out;
  for (size_t i = 0; i < json.size();) {
    const auto lead = static_cast<unsigned char>(json[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (length == 1 || i + length > json.size()) {
      out += json[i++];
      continue;
    }
    unsigned point = lead & (0xFF >> (length + 1));
    for (size_t k = 1; k < length; ++k) point = point << 6 | (static_cast<unsigned char>(json[i + k]) & 0x3F);
    if (point < 0x10000) {
      AppendUnit(point, &out);
    } else {
      AppendUnit(0xD800 + ((point - 0x10000) >> 10), &out);
      AppendUnit(0xDC00 + ((point - 0x10000) & 0x3FF), &out);
    }
    i += length;
  }
  return out;
}

// Python's repr(), which chooses its quotes by what is inside.
std::string AsPython(std::string_view text) {
  const bool doubled = text.find('\'') != text.npos && text.find('"') == text.npos;
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || (c == '\'' && !doubled)) {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      char spelled[8];
      std::snprintf(spelled, sizeof spelled, "\\x%02x", byte);
      out += spelled;
    } else {
      out += c;
    }
  }
  return out;
}

// Written as it is everywhere.
bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~").find(c) != std::string_view::npos;
}

std::string AsUrl(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (IsPlain(c)) {
      out += c;
      continue;
    }
    char spelled[8];
    std::snprintf(spelled, sizeof spelled, "%%%02X", static_cast<unsigned char>(c));
    out += spelled;
  }
  return out;
}

}  // namespace

std::vector<std::string> SpellingsOf(std::string_view plaintext) {
  if (std::all_of(plaintext.begin(), plaintext.end(), IsPlain))
    return {std::string(plaintext), Base64Encode(plaintext)};
  const std::string json = AsJson(plaintext), html = AsHtmlJson(plaintext);
  const std::string candidates[] = {std::string(plaintext),
                                    json,
                                    html,
                                    AsAscii(json),
                                    AsAscii(html),
                                    AsJson(json),
                                    AsPython(plaintext),
                                    AsUrl(plaintext),
                                    Base64Encode(plaintext)};
  std::vector<std::string> spellings;
  for (const std::string& candidate : candidates) {
    if (std::find(spellings.begin(), spellings.end(), candidate) == spellings.end()) spellings.push_back(candidate);
  }
  return spellings;
}

}  // namespace kingpost
