// SPDX-License-Identifier: Apache-2.0
// JSON text in Go's spelling: numbers, strings, indentation. Pure functions; any thread.
#include "model/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/encoding.h"
#include "base/status.h"
#include "model/deployment_json.h"
#include "model/json_bytes.h"

namespace kingpost {

namespace {

constexpr char kHex[] = "0123456789abcdef";
constexpr size_t kPartBytes = 1 << 16;

// Which bytes stand for themselves inside of quotes where <, > and & do not.
constexpr std::array<bool, 256> PlainBytesForHtml() {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
  return plain;
}
constexpr auto kPlainForHtml = PlainBytesForHtml();

void AppendEscape(unsigned char c, std::string* out) {
  switch (c) {
    case '"':
    case '\\':
      *out += '\\';
      *out += static_cast<char>(c);
      return;
    case '\b':
      *out += "\\b";
      return;
    case '\f':
      *out += "\\f";
      return;
    case '\n':
      *out += "\\n";
      return;
    case '\r':
      *out += "\\r";
      return;
    case '\t':
      *out += "\\t";
      return;
    default:
      *out += "\\u00";
      *out += kHex[c >> 4];
      *out += kHex[c & 15];
  }
}

// One character beyond ASCII; the line separators and broken bytes are escaped. Returns how many bytes it took.
size_t AppendBeyondAscii(std::string_view text, std::string* out) {
  const size_t n = Utf8Length(text, 0);
  if (n == 0) {
    *out += "\\ufffd";
    return 1;
  }
  const std::string_view character = text.substr(0, n);
  if (character == "\u2028") {
    *out += "\\u2028";
  } else if (character == "\u2029") {
    *out += "\\u2029";
  } else {
    *out += character;
  }
  return n;
}

// Bytes that stand for themselves, from text[i] on.
size_t AfterPlain(std::string_view text, size_t i) {
  return SkipPlainBytes(text.data() + i, text.data() + text.size()) - text.data();
}
size_t AfterPlainForHtml(std::string_view text, size_t i) {
  while (i < text.size() && kPlainForHtml[static_cast<unsigned char>(text[i])]) ++i;
  return i;
}

template <class SkipPlainBytes>
void AppendQuoted(std::string_view text, const SkipPlainBytes& after_plain, std::string* out) {
  *out += '"';
  size_t i = 0;
  while (i < text.size()) {
    const size_t start = i;
    i = after_plain(text, i);
    out->append(text.data() + start, i - start);
    if (i == text.size()) break;
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      AppendEscape(c, out);
      ++i;
    } else {
      i += AppendBeyondAscii(text.substr(i), out);
    }
  }
  *out += '"';
}

// The end of the string literal that starts at json[i].
size_t AfterString(std::string_view json, size_t i) {
  for (++i; i < json.size(); ++i) {
    i = AfterPlain(json, i);
    if (i == json.size() || json[i] == '"') break;
    if (json[i] == '\\') ++i;
  }
  return std::min(i + 1, json.size());
}

}  // namespace

std::string NumberText(double number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
  std::string text;
  AppendJsonNumber(number, &text);
  return text;
}

// Shortest digits that read back as the same double; with an exponent below 1e-6 and from 1e21 on:
//   0.1   100   9223372036854776000   1e-7   1.5e+21   -0
void AppendJsonNumber(double number, std::string* out) {
  KP_ASSERT(std::isfinite(number), "NaN and infinities have a form of their own");
  char buffer[64];
  const double size = std::fabs(number);
  if (size < 1e15 && size == std::floor(size) && !(size == 0 && std::signbit(number))) {
    out->append(buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<int64_t>(number)).ptr - buffer);
    return;
  }
  const auto scientific = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific);
  *scientific.ptr = '\0';
  std::string_view text(buffer, scientific.ptr - buffer);  // -d.ddde+dd
  if (text[0] == '-') {
    *out += '-';
    text.remove_prefix(1);
  }
  const size_t e = text.find('e');
  const int exponent = std::atoi(buffer + (text.data() - buffer) + e + 1);
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  const int count = static_cast<int>(digits.size());
  if (size != 0 && (size < 1e-6 || size >= 1e21)) {
    *out += digits[0];
    if (count > 1) out->append(".").append(digits, 1);
    *out += exponent < 0 ? "e-" : "e+";
    *out += std::to_string(std::abs(exponent));
  } else if (exponent < 0) {
    *out += "0.";
    out->append(-exponent - 1, '0').append(digits);
  } else if (count <= exponent + 1) {
    out->append(digits).append(exponent + 1 - count, '0');
  } else {
    out->append(digits, 0, exponent + 1).append(".").append(digits, exponent + 1);
  }
}

void AppendJsonString(std::string_view text, std::string* out) { AppendQuoted(text, AfterPlain, out); }
void AppendJsonStringForHtml(std::string_view text, std::string* out) { AppendQuoted(text, AfterPlainForHtml, out); }

std::string CompactJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  size_t i = 0;
  while (i < json.size()) {
    const char c = json[i];
    if (c == '"') {
      const size_t end = AfterString(json, i);
      out.append(json.data() + i, end - i);
      i = end;
      continue;
    }
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') out += c;
    ++i;
  }
  return out;
}

void JsonIndenter::AppendLine() {
  ready_ += '\n';
  ready_.append(depth_ * width_, ' ');
}

void JsonIndenter::Append(std::string_view compact) {
  for (size_t i = 0; i < compact.size();) {
    if (ready_.size() >= kPartBytes) Flush();
    const char c = compact[i];
    const char next = i + 1 < compact.size() ? compact[i + 1] : '\0';
    if (c == '"') {
      const size_t end = AfterString(compact, i);
      ready_.append(compact.data() + i, end - i);
      i = end;
      continue;
    }
    ++i;
    if ((c == '{' && next == '}') || (c == '[' && next == ']')) {
      ready_ += c;
      ready_ += next;
      ++i;
    } else if (c == '{' || c == '[') {
      ready_ += c;
      ++depth_;
      AppendLine();
    } else if (c == '}' || c == ']') {
      --depth_;
      AppendLine();
      ready_ += c;
    } else if (c == ',') {
      ready_ += c;
      AppendLine();
    } else if (c == ':') {
      ready_ += ": ";
    } else {
      ready_ += c;
    }
  }
}

void JsonIndenter::Flush() {
  if (ready_.empty()) return;
  write_(ready_);
  ready_.clear();
}

std::string IndentJson(std::string_view compact, size_t width) {
  std::string out;
  out.reserve(compact.size() * 2);
  {
    JsonIndenter indenter([&out](std::string_view part) { out += part; }, width);
    indenter.Append(compact);
  }
  return out;
}

}  // namespace kingpost
