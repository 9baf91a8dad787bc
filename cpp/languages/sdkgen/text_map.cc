// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/text_map.h"

#include <nlohmann/json.hpp>

#include "base/json_access.h"

namespace kingpost::sdkgen {

std::map<std::string, std::string> TextMapOf(const nlohmann::json& object, const char* name) {
  std::map<std::string, std::string> texts;
  const nlohmann::json* field = FieldOf(object, name);
  if (!field || !field->is_object()) return texts;
  for (const auto& item : field->items()) texts[item.key()] = TextIn(item.value());
  return texts;
}

}  // namespace kingpost::sdkgen
