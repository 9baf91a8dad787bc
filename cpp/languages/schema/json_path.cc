// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/json_path.h"

#include <cctype>

#include "base/encoding.h"

namespace kingpost::schema {

std::string PathPart(std::string_view name) {
  constexpr std::string_view kPlain = "-_.~$&+:=@";
  std::string part;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) || kPlain.find(c) != std::string_view::npos)) {
      part += c;
    } else {
      std::string hex = HexEncode(std::string_view(&c, 1));
      for (char& digit : hex) digit = static_cast<char>(std::toupper(static_cast<unsigned char>(digit)));
      part += "%" + hex;
    }
  }
  return part;
}

std::string Unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' ? HexDecode(text.substr(i + 1, 2)) : std::nullopt;
    if (byte && byte->size() == 1) {
      plain += *byte;
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string MemberPath(std::string_view section, std::string_view token) {
  return "#/" + std::string(section) + "/" + PathPart(token);
}

}  // namespace kingpost::schema
