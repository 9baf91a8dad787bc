// SPDX-License-Identifier: Apache-2.0
// The configuration of a stack as the engine, programs and plugins get it: texts in clear, and which of them are
// secret.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kingpost {

struct ConfigValue {
  std::string value;    // a text, or the JSON text of an object, array
  bool secret = false;  // it is or holds a secret
  bool object = false;
};

// The same for those who take texts, and beside them which are secret.
struct PlainConfig {
  std::map<std::string, std::string> values;
  std::vector<std::string> secret_keys;
};

PlainConfig PlainConfigOf(const std::map<std::string, ConfigValue>& config);

}  // namespace kingpost
