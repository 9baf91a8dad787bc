// SPDX-License-Identifier: Apache-2.0
#include "base/percent.h"

#include "base/encoding.h"

namespace kingpost {

namespace {

bool IsUnreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

}  // namespace

std::string PercentEncode(std::string_view text, std::string_view kept) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c) || kept.find(c) != std::string_view::npos) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return encoded;
}

std::string PercentEncodePath(std::string_view path) { return PercentEncode(path, "/"); }
std::string EscapeUrlPath(std::string_view path) { return PercentEncode(path, "$&+,/:;=@"); }

std::string PercentDecode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' && i + 2 < text.size() ? HexDecode(text.substr(i + 1, 2)) : std::nullopt;
    if (byte) {
      decoded += *byte;
      i += 2;
    } else {
      decoded += plus_is_blank && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

std::string FormBody(const Parameters& fields) {
  std::string body;
  for (const auto& [name, value] : fields) {
    body += (body.empty() ? "" : "&") + PercentEncode(name) + "=" + PercentEncode(value);
  }
  return body;
}

Parameters SplitQuery(std::string_view query) {
  Parameters parameters;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    parameters.emplace_back(PercentDecode(part.substr(0, equals), true), PercentDecode(value, true));
  }
  return parameters;
}

}  // namespace kingpost
