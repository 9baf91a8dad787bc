// SPDX-License-Identifier: Apache-2.0
// Property values as people read them: JSON-like, secrets as [secret], unknowns as [unknown].
#pragma once

#include <string>

#include "console/display/masking.h"
#include "model/value.h"

namespace kingpost {

struct ValueTextOptions {
  int indent = 0;     // of the line the value starts in
  bool full = false;  // long strings whole
  bool show_secrets = false;
  bool align = false;                // the values of an object under each other
  bool one_line = false;             // strings quoted, whatever they hold
  const Masking* masking = nullptr;  // hides secrets of the configuration in plain strings
};

// The longest key that is shown, and what to write after `key` to get there.
size_t WidestKey(const PropertyMap& properties);
std::string KeyLabel(const std::string& key, size_t width);

// Starts in the current line; nested objects and arrays continue in indented lines.
std::string ValueText(const Value& value, const ValueTextOptions& options);
// `key: value` lines with the indent, one per property, internal "__" keys left out.
std::string PropertiesText(const PropertyMap& properties, const ValueTextOptions& options);

}  // namespace kingpost
