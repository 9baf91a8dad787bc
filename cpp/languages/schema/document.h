// SPDX-License-Identifier: Apache-2.0
// The text of a schema: which fields it has, of which kind, in which order. Unknown and empty fields are left out, so
// that equal schemas have equal texts. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace kingpost::schema {

// The document with its known fields in order. The error names the place: "#/resources/a:b:C/properties/d/type:
// expected a text, found a number".
Result<nlohmann::ordered_json> Canonical(const nlohmann::ordered_json& document);

// From the text of a JSON file.
Result<nlohmann::ordered_json> ReadCanonical(std::string_view text);

// For a package whose provider wants to validate the credentials at hand in a new project.
struct CredentialCheck {
  std::string package, shown_name;
  std::string guide;  // the URL of how it is configured, or ""
};
std::optional<CredentialCheck> CredentialCheckOf(std::string_view text);

// As it is printed and written: two blanks for each level, numbers and escapes as Go has them.
std::string DocumentText(const nlohmann::ordered_json& document);

}  // namespace kingpost::schema
