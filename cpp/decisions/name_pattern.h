// SPDX-License-Identifier: Apache-2.0
// Patterns of names (row 3.40): ${organization}, ${project}, ${stack} and ${config.key} stand for one text in the
// whole run. But ${name}, ${hex(n)}, ${alphanum(n)}, ${string(n)}, ${num(n)} and ${uuid} stand for a text of each
// resource. Pure.
#pragma once

#include <map>
#include <string>

#include "base/status.h"

namespace kingpost::decisions {

struct PatternContext {
  const std::map<std::string, std::string>& config;  // "project:key" -> text
  std::string organization, project, stack;
};

// Puts the run's values in. Fails with the config key that has none, or a count beyond reason.
Result<std::string> ResolvePattern(std::string pattern, const PatternContext& context);

struct GeneratedName {
  std::string name;
  bool random = false;  // false: every generation of the resource gets this name
};
// `pattern` is resolved. One seed gives one name.
GeneratedName GenerateName(const std::string& pattern, std::string_view logical_name, const std::string& seed);

}  // namespace kingpost::decisions
