// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/plugin_metadata.h"

#include <nlohmann/json.hpp>

namespace kingpost::sdkgen {

nlohmann::ordered_json PluginMetadata(const schema::Package& package, const std::string& version) {
  nlohmann::ordered_json plugin;
  plugin["resource"] = true;
  plugin["name"] = package.base ? package.base->name : package.name;
  const std::string plugin_version = package.base ? package.base->version : version;
  if (!plugin_version.empty()) plugin["version"] = plugin_version;
  if (!package.download_url.empty()) plugin["server"] = package.download_url;
  if (!package.base) return plugin;
  const char* field = package.base->extension ? "extensionParameterization" : "parameterization";
  plugin[field] = {{"name", package.name}, {"version", package.version}, {"value", package.base->parameter}};
  return plugin;
}

}  // namespace kingpost::sdkgen
