// SPDX-License-Identifier: Apache-2.0
#include "base/go_duration.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace kingpost {

namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr Unit kUnits[] = {{"ns", 1e-9}, {"us", 1e-6}, {"\xC2\xB5s", 1e-6}, {"\xCE\xBCs", 1e-6},
                           {"ms", 1e-3}, {"s", 1},     {"m", 60},           {"h", 3600}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Trimmed(double value) {
  std::string text = std::to_string(value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::optional<double> ParseGoDuration(std::string_view text) {
  double sign = 1;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    sign = text[0] == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    size_t n = 0;
    while (n < text.size() && (IsDigit(text[n]) || text[n] == '.')) ++n;
    const std::string digits(text.substr(0, n));
    if (n == 0 || digits == "." || digits.find('.') != digits.rfind('.')) return std::nullopt;
    const double number = std::strtod(digits.c_str(), nullptr);
    text.remove_prefix(n);
    n = 0;
    while (n < text.size() && !IsDigit(text[n]) && text[n] != '.') ++n;
    const Unit* unit = nullptr;
    for (const Unit& candidate : kUnits) {
      if (candidate.name == text.substr(0, n)) unit = &candidate;
    }
    if (!unit) return std::nullopt;
    total += number * unit->seconds;
    text.remove_prefix(n);
  }
  return sign * total;
}

std::string FormatGoDuration(double seconds) {
  if (seconds == 0) return "";
  if (std::fabs(seconds) < 1) {
    if (std::fabs(seconds) >= 1e-3) return Trimmed(seconds * 1e3) + "ms";
    if (std::fabs(seconds) >= 1e-6) return Trimmed(seconds * 1e6) + "\xC2\xB5s";
    return std::to_string(std::llround(seconds * 1e9)) + "ns";
  }
  std::string text = seconds < 0 ? "-" : "";
  const double all = std::fabs(seconds);
  const int64_t hours = static_cast<int64_t>(all / 3600);
  const int64_t minutes = static_cast<int64_t>((all - static_cast<double>(hours) * 3600) / 60);
  const double rest = all - static_cast<double>(hours * 3600 + minutes * 60);
  if (hours > 0) text += std::to_string(hours) + "h";
  if (hours > 0 || minutes > 0) text += std::to_string(minutes) + "m";
  return text + Trimmed(rest) + "s";
}

}  // namespace kingpost
