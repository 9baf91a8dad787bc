// SPDX-License-Identifier: Apache-2.0
#include "plugins/plugin_additions.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/os.h"
#include "model/dynamic_provider.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

// The package's part of the configuration, by names alone: {"region": "eu-west-1"}. What is secret comes with
// Configure, for an environment is open to whatever a plugin starts; only dynamic providers, which are the program's
// own code, have it here too.
std::string ProviderConfigJson(const PlainConfig& given, const std::string& package) {
  const std::string prefix = package + ":";
  nlohmann::json config = nlohmann::json::object();
  for (const auto& [key, value] : given.values) {
    if (!key.starts_with(prefix)) continue;
    const bool secret = std::find(given.secret_keys.begin(), given.secret_keys.end(), key) != given.secret_keys.end();
    if (!secret || IsDynamicProvider(package)) config[key.substr(prefix.size())] = value;
  }
  return config.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

std::map<std::string, std::string> ProviderEnvironment(const Project& project, const PlainConfig& config,
                                                       const ProviderSpec& spec) {
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : OptionTexts(*project.runtime_options)) {
    environment["PULUMI_RUNTIME_" + Upper(name)] = value;
  }
  if (!project.name.empty()) {
    environment["PULUMI_PROJECT"] = project.name;
    if (spec.name == kNodeDynamicProvider) environment["PULUMI_NODEJS_PROJECT"] = project.name;
  }
  environment["PULUMI_CONFIG"] = ProviderConfigJson(config, spec.name);
  for (const auto& [source, target] : spec.env_var_mappings) {
    const std::string value = GetEnvironment(source.c_str());
    if (!value.empty()) environment[target] = value;
  }
  return environment;
}

std::map<std::string, std::string> PolicyPackEnvironment(const AnalyzerSpec& spec) {
  std::map<std::string, std::string> environment;
  const std::pair<const char*, std::string> facts[] = {{"ORGANIZATION", spec.organization},
                                                       {"PROJECT", spec.project},
                                                       {"STACK", spec.stack},
                                                       {"DRY_RUN", spec.dry_run ? "true" : "false"}};
  for (const auto& [name, value] : facts) {
    if (value.empty()) continue;
    environment[std::string("PULUMI_") + name] = value;
    environment[std::string("PULUMI_NODEJS_") + name] = value;
  }
  environment["PULUMI_CONFIG"] = nlohmann::json(spec.config).dump();
  return environment;
}

}  // namespace kingpost
