// SPDX-License-Identifier: Apache-2.0
// Checks a JSON value against the part of JSON Schema that policy packs use for their configuration. Any thread.
//
// Understood: type, enum, const, properties, required, additionalProperties, items, minItems, maxItems, uniqueItems,
// minLength, maxLength, pattern, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, anyOf, oneOf, allOf,
// not. Other keywords say nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kingpost {

// One sentence for each mistake: "field: what is wrong"; without the field if it is the value itself.
std::vector<std::string> ValidateJson(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace kingpost
