// SPDX-License-Identifier: Apache-2.0
// How messages name a place in a schema: "#/resources/aws:s3%2Fbucket:Bucket/properties/acl". Pure.
#pragma once

#include <string>
#include <string_view>

namespace kingpost::schema {

// One step of a path: "/" and what cannot stand in an address become %XX.
std::string PathPart(std::string_view name);
// The other way round; what is no escape stays as it is.
std::string Unescaped(std::string_view text);

// "#/types/TOKEN"
std::string MemberPath(std::string_view section, std::string_view token);

}  // namespace kingpost::schema
