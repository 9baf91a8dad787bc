// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/token.h"

#include "model/urn.h"

namespace kingpost::schema {

std::optional<TokenParts> SplitToken(const std::string& token) {
  const size_t first = token.find(':'), last = token.rfind(':');
  if (first == std::string::npos) return std::nullopt;
  TokenParts parts;
  parts.package = token.substr(0, first);
  parts.name = token.substr(last + 1);
  if (first != last) parts.module = token.substr(first + 1, last - first - 1);
  if (parts.module.empty()) parts.module = "index";
  if (parts.package.empty() || parts.name.empty() || parts.module.find(':') != std::string::npos) return std::nullopt;
  return parts;
}

std::string PackageOf(const std::string& token) {
  const auto parts = SplitToken(token);
  if (!parts) return "";
  return IsProviderType(token) ? parts->name : parts->package;
}

std::string NameOfToken(const std::string& token) { return token.substr(token.rfind(':') + 1); }

std::string Lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace kingpost::schema
