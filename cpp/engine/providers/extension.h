// SPDX-License-Identifier: Apache-2.0
// Extensions of a provider's schema, as the snapshot keeps them (row 2.20).
#pragma once

#include <string>

#include "kingpost/provider_values.h"

namespace kingpost::providers {

// {"name":..,"version":..,"value":base64}
std::string ExtensionJson(const Parameterization& extension);
Result<Parameterization> ParseExtension(const std::string& json);
// Lower-case hex SHA-256 of name \0 version \0 value.
std::string ExtensionRef(const Parameterization& extension);

}  // namespace kingpost::providers
