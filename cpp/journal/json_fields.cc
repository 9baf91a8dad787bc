// SPDX-License-Identifier: Apache-2.0
// A scanner for the extent of JSON values; what is inside of strings and nested values is only skipped.
#include "journal/json_fields.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/json_access.h"

namespace kingpost {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool Take(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // With its quotes.
  std::string_view String() {
    SkipSpace();
    const size_t start = at_;
    if (!Take('"')) return {};
    while (true) {
      const size_t quote = text_.find('"', at_);
      if (quote == text_.npos) return {};
      const size_t escape = text_.substr(0, quote).find('\\', at_);
      at_ = escape == text_.npos ? quote + 1 : escape + 2;
      if (escape == text_.npos) return text_.substr(start, at_ - start);
    }
  }

  std::string_view Value() {
    SkipSpace();
    const size_t start = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        if (String().empty()) return {};
        --at_;  // the loop steps over the closing quote
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) break;
        --depth;
      } else if (c == ',' && depth == 0) {
        break;
      }
    }
    size_t end = at_;
    while (end > start && IsSpace(text_[end - 1])) --end;
    return depth == 0 ? text_.substr(start, end - start) : std::string_view();
  }

  bool AtEnd() {
    SkipSpace();
    return at_ == text_.size();
  }

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<JsonFields> JsonFields::Parse(std::string_view object) {
  const Status broken(Code::kDataLoss, "not a JSON object");
  JsonFields fields;
  Scanner scanner(object);
  if (!scanner.Take('{')) return broken;
  if (scanner.Take('}')) return scanner.AtEnd() ? Result<JsonFields>(fields) : broken;
  do {
    std::string_view name = scanner.String();
    if (name.empty() || !scanner.Take(':')) return broken;
    const std::string_view value = scanner.Value();
    if (value.empty()) return broken;
    fields.fields_.emplace_back(name.substr(1, name.size() - 2), value);
  } while (scanner.Take(','));
  if (!scanner.Take('}') || !scanner.AtEnd()) return broken;
  return fields;
}

std::string_view JsonFields::Raw(std::string_view name) const {
  for (const auto& [field, value] : fields_) {
    if (field == name) return value == "null" ? std::string_view() : value;
  }
  return {};
}

int64_t JsonFields::Integer(std::string_view name, int64_t absent) const {
  const std::string_view text = Raw(name);
  int64_t number = absent;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : absent;
}

std::string JsonFields::String(std::string_view name) const { return TextIn(ParseJson(Raw(name))); }

}  // namespace kingpost
