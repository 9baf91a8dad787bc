// SPDX-License-Identifier: Apache-2.0
// Strings that hold a document: policies, manifests, settings. They are compared and shown as what they say. Pure.
#pragma once

#include <optional>
#include <string>

#include "model/value.h"

namespace kingpost {

struct StructuredText {
  const char* format = "";  // "json" or "yaml"
  Value value;              // an object or an array
};

// Null unless the whole text is an object or an array in JSON, and every number in it is one that a Value holds
// exactly.
std::optional<StructuredText> ParseJsonText(const std::string& text);
// JSON, or a YAML document of several lines that is a map or a list.
std::optional<StructuredText> ParseStructuredText(const std::string& text);

}  // namespace kingpost
