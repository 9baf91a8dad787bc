// SPDX-License-Identifier: Apache-2.0
#include "languages/schema/reference.h"

#include <cctype>

#include "languages/schema/json_path.h"
#include "model/semver.h"

namespace kingpost::schema {

namespace {

Status BadReference(const std::string& text) { return Status(Code::kInvalidArgument, text); }

bool IsPackageName(const std::string& name) {
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') return false;
  }
  return !name.empty();
}

// "/aws/v4.36.0/schema.json"
Status ReadPackage(const std::string& path, Reference* reference) {
  constexpr std::string_view kEnd = "/schema.json";
  const size_t begin = path.starts_with('/') ? 1 : 0;
  const size_t slash = path.find("/v", begin);
  const bool ends_well = path.size() > kEnd.size() && path.ends_with(kEnd);
  const size_t end = path.size() - (ends_well ? kEnd.size() : 0);
  if (!ends_well || slash == std::string::npos || slash >= end)
    return BadReference("failed to parse path '" + path + "'");
  reference->package = path.substr(begin, slash - begin);
  const std::string version = path.substr(slash + 1, end - slash - 1);
  if (!IsPackageName(reference->package) || version.find('/') != std::string::npos) {
    return BadReference("failed to parse path '" + path + "'");
  }
  reference->version = TolerantSemver(version);
  if (reference->version.empty()) return BadReference("failed to parse package version '" + version + "'");
  return Status::Ok();
}

}  // namespace

Result<Reference> ParseReference(const std::string& text) {
  Reference reference;
  const size_t hash = text.find('#');
  const std::string path = Unescaped(text.substr(0, hash));
  if (!path.empty()) KP_TRY(ReadPackage(path, &reference));
  std::string fragment = hash == std::string::npos ? "" : text.substr(hash + 1);
  if (fragment.starts_with('/')) fragment.erase(0, 1);
  const size_t slash = fragment.find('/');
  const std::string section = fragment.substr(0, slash);
  const std::string token = slash == std::string::npos ? "" : fragment.substr(slash + 1);
  if (section == "provider") {
    if (!token.empty()) return BadReference("invalid provider reference '" + text + "'");
    reference.section = Reference::Section::kProvider;
    return reference;
  }
  if (section != "types" && section != "resources") return BadReference("invalid type reference '" + text + "'");
  reference.section = section == "types" ? Reference::Section::kTypes : Reference::Section::kResources;
  reference.token = Unescaped(token);
  return reference;
}

}  // namespace kingpost::schema
