// SPDX-License-Identifier: Apache-2.0
// Tokens, by which programs and schemas name resources, functions and types: "aws:s3/bucket:Bucket". Pure.
#pragma once

#include <optional>
#include <string>

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
// With small letters, as tokens are compared.
std::string Lowered(std::string text);

}  // namespace kingpost::schema
