// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/token.h"

#include "base/pattern.h"
#include "base/percent.h"
#include "model/semver.h"
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

Result<Reference> ParseReference(const std::string& text) {
  static const Pattern* const kDocument = new Pattern("/?([-_a-zA-Z0-9]+)/(v[^/]*)/schema\\.json");
  const auto bad = [](const std::string& why) { return Status(Code::kInvalidArgument, why); };
  Reference reference;
  const size_t hash = text.find('#');
  const std::string path = PercentDecode(text.substr(0, hash));
  if (!path.empty()) {
    const auto parts = kDocument->FindWhole(path);
    if (!parts) return bad("failed to parse path '" + path + "'");
    reference.package = parts->at(1);
    reference.version = TolerantSemver(parts->at(2));
    if (reference.version.empty()) return bad("failed to parse package version '" + parts->at(2) + "'");
  }
  std::string fragment = hash == std::string::npos ? "" : text.substr(hash + 1);
  if (fragment.starts_with('/')) fragment.erase(0, 1);
  const size_t slash = fragment.find('/');
  const std::string section = fragment.substr(0, slash);
  const std::string token = slash == std::string::npos ? "" : fragment.substr(slash + 1);
  if (section == "provider") {
    if (!token.empty()) return bad("invalid provider reference '" + text + "'");
    reference.section = Reference::Section::kProvider;
    return reference;
  }
  if (section != "types" && section != "resources") return bad("invalid type reference '" + text + "'");
  reference.section = section == "types" ? Reference::Section::kTypes : Reference::Section::kResources;
  reference.token = PercentDecode(token);
  return reference;
}

std::string PathPart(std::string_view name) { return PercentEncode(name, "$&+:=@"); }

std::string MemberPath(const std::string& section, std::string_view token) {
  return "#/" + section + "/" + PathPart(token);
}

}  // namespace kingpost::schema
