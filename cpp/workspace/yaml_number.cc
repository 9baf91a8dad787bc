// SPDX-License-Identifier: Apache-2.0
#include "workspace/yaml_number.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <regex>

namespace kingpost {

namespace {

using Json = nlohmann::json;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool AllDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit); }

bool ParseInteger(std::string text, Json* number) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.erase(0, 1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char kind = static_cast<char>(std::tolower(static_cast<unsigned char>(text[1])));
    base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
    text.erase(0, kind == 'x' || kind == 'b' || kind == 'o' ? 2 : 1);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  if (negative && value > kLimit) return false;
  if (negative) {
    *number = static_cast<int64_t>(0 - value);
  } else if (value < kLimit) {
    *number = static_cast<int64_t>(value);
  } else {
    *number = value;
  }
  return true;
}

}  // namespace

Json ResolvePlainScalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (!std::isdigit(static_cast<unsigned char>(text[0])) && !std::strchr("+-.", text[0])) return text;

  std::string digits;
  for (char c : text) {
    if (c != '_') digits += c;
  }
  Json number;
  if (ParseInteger(digits, &number)) return number;
  static const std::regex* const kFloat = new std::regex(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  if (digits.size() < 64 && std::regex_match(digits, *kFloat)) return std::strtod(digits.c_str(), nullptr);
  return text;
}

Json NumberAsWritten(const std::string& text, bool nested) {
  Json value = ResolvePlainScalar(text);
  if (!value.is_number() || !ChangesWhenParsed(text, value)) return value;
  const std::string_view digits = std::string_view(text).substr(text[0] == '-' ? 1 : 0);
  if (AllDigits(digits)) return text;  // a leading zero, or more digits than a number holds
  const bool decimal = IsDigit(digits[0]) && digits.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  return decimal && !nested ? Json(text) : value;
}

bool ChangesWhenParsed(const std::string& text, const Json& value) { return value.is_number() && value.dump() != text; }

}  // namespace kingpost
