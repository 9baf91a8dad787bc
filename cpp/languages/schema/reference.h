// SPDX-License-Identifier: Apache-2.0
// A "$ref": "#/types/aws:s3:Rule", "#/provider", "/aws/v4.36.0/schema.json#/resources/aws:s3%2Fbucket:Bucket". Pure.
#pragma once

#include <string>

#include "base/status.h"

namespace kingpost::schema {

struct Reference {
  std::string package, version;  // "" if it is one of the package itself
  enum class Section { kTypes, kResources, kProvider } section = Section::kTypes;
  std::string token;  // "" of a provider
};
Result<Reference> ParseReference(const std::string& text);

}  // namespace kingpost::schema
