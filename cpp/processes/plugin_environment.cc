// SPDX-License-Identifier: Apache-2.0
#include "processes/plugin_environment.h"

#include <unistd.h>

namespace kingpost {

std::vector<std::string> PluginEnvironment(const std::map<std::string, std::string>& additions) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (name.starts_with("PULUMI_CONFIG_PASSPHRASE") || additions.count(name)) continue;
    if (name == "PYTHONHOME" && additions.count("VIRTUAL_ENV")) continue;  // it would hide the environment's packages
    environment.push_back(text);
  }
  for (const auto& [name, value] : additions) environment.push_back(name + "=" + value);
  return environment;
}

}  // namespace kingpost
