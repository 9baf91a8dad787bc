// SPDX-License-Identifier: Apache-2.0
#include "workspace/plain_config.h"

namespace kingpost {

PlainConfig PlainConfigOf(const std::map<std::string, ConfigValue>& config) {
  PlainConfig plain;
  for (const auto& [key, value] : config) {
    plain.values[key] = value.value;
    if (value.secret) plain.secret_keys.push_back(key);
  }
  return plain;
}

}  // namespace kingpost
