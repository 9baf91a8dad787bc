// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/text.h"

#include <charconv>
#include <filesystem>

#include "languages/codegen/names.h"

namespace kingpost::sdkgen {

std::string Joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string joined;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) joined += between;
    joined += texts[i];
  }
  return joined;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string Lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string Uppered(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string Replaced(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines = Split(text, '\n');
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string Unhyphenated(std::string_view text) {
  std::string joined;
  bool begins = false;
  for (const char c : text) {
    if (c != '-') joined += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '-';
  }
  return joined;
}

std::string SpelledSign(const std::string& name) {
  static const char* const kDigits[] = {"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"};
  if (name == "*") return "Asterisk";
  if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') return kDigits[name[0] - '0'];
  return name;
}

std::string SingleUnderscores(const std::string& text) {
  std::string single;
  for (const char c : text) {
    if (c != '_' || single.empty() || single.back() != '_') single += c;
  }
  return single;
}

std::string NumberText(double number) {
  char buffer[400];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::fixed);
  return error == std::errc() ? std::string(buffer, end) : "0";
}

std::string MemberName(const schema::EnumValue& value) {
  if (!value.name.empty()) return value.name;
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* number = std::get_if<double>(&value.value)) return NumberText(*number);
  if (const auto* number = std::get_if<int64_t>(&value.value)) return std::to_string(*number);
  return std::get<bool>(value.value) ? "true" : "false";
}

std::string RelativePath(const std::string& from, const std::string& to) {
  const std::string root = "/";
  return std::filesystem::path(root + to).lexically_relative(root + from).generic_string();
}

std::string ReadmeOf(const schema::Package& package, const std::string& of_language) {
  std::string text = of_language.empty() ? package.description : of_language;
  const auto end_line = [&text] {
    if (!text.empty() && text.back() != '\n') text += '\n';
  };
  end_line();
  if (of_language.empty() && !package.attribution.empty()) {
    text += (text.empty() ? "" : "\n") + package.attribution;
    end_line();
  }
  return text;
}

}  // namespace kingpost::sdkgen
