// SPDX-License-Identifier: Apache-2.0
// The names of schemas: tokens ("aws:s3/bucket:Bucket"), references to them, and the paths of messages. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost::schema {

struct TokenParts {
  std::string package, module, name;
};
// "pkg:module:name"; "pkg:name" and "pkg::name" mean the module index. nullopt if malformed.
std::optional<TokenParts> SplitToken(const std::string& token);

// The package whose schema says what the token means: "aws" of "aws:s3:Bucket" and of "pulumi:providers:aws"; "" if it
// is malformed.
std::string PackageOf(const std::string& token);
// "Bucket" of "aws:s3/bucket:Bucket".
std::string NameOfToken(const std::string& token);

// A "$ref": "#/types/aws:s3:Rule", "#/provider", "/aws/v4.36.0/schema.json#/resources/aws:s3%2Fbucket:Bucket".
struct Reference {
  std::string package, version;  // "" if it is one of the package itself
  enum class Section { kTypes, kResources, kProvider } section = Section::kTypes;
  std::string token;  // "" of a provider
};
Result<Reference> ParseReference(const std::string& text);

// One step of a path such as "#/resources/aws:s3%2Fbucket:Bucket/properties/acl".
std::string PathPart(std::string_view name);
// "#/types/TOKEN"
std::string MemberPath(const std::string& section, std::string_view token);

}  // namespace kingpost::schema
