// SPDX-License-Identifier: Apache-2.0
#include "remote/blob/postgres_rows.h"

#include <cstdlib>

#include "base/encoding.h"

namespace kingpost {

std::string DataOf(std::string_view bytes) { return "{\"data\":\"" + Base64Encode(bytes) + "\"}"; }

std::string PatternOf(const std::string& prefix) {
  std::string pattern;
  for (const char c : prefix) {
    if (c == '_' || c == '%' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern + "%";
}

std::string ArrayOf(const std::vector<std::string>& texts) {
  std::string array = "{";
  for (const std::string& text : texts) {
    if (array.size() > 1) array += ',';
    array += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') array += '\\';
      array += c;
    }
    array += '"';
  }
  return array + "}";
}

Result<Blob> BlobOf(const std::string& where, const std::vector<std::string>& row, size_t first) {
  std::string text = row[first];
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });  // as PostgreSQL's own encode() breaks lines
  std::optional<std::string> bytes = Base64Decode(text);
  if (!bytes) return Status(Code::kDataLoss, where + ": the row's data is not {\"data\":BASE64}");
  return Blob{std::move(*bytes), row[first + 1], std::atoll(row[first + 2].c_str()),
              std::atoll(row[first + 3].c_str())};
}

}  // namespace kingpost
