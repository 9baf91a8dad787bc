// SPDX-License-Identifier: Apache-2.0
#include "languages/sdkgen/options.h"

#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "languages/sdkgen/sdk.h"
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

namespace {

TextMap TextMapOf(const nlohmann::json& object, const char* name) {
  TextMap texts;
  const nlohmann::json map = ObjectOf(object, name);
  for (const auto& item : map.items()) texts[item.key()] = TextIn(item.value());
  return texts;
}

}  // namespace

PythonOptions PythonOptions::Of(const schema::Package& package) {
  const nlohmann::json spec = package.LanguageOptions("python");
  PythonOptions options;
  options.package_name = TextOf(spec, "packageName");
  options.python_requires = TextOf(spec, "pythonRequires");
  options.readme = TextOf(spec, "readme");
  options.compatibility = TextOf(spec, "compatibility");
  options.input_types = TextOf(spec, "inputTypes");
  options.requires_ = TextMapOf(spec, "requires");
  options.module_names = TextMapOf(spec, "moduleNameOverrides");
  options.lift_single_results = BoolOf(spec, "liftSingleValueMethodReturns");
  options.respect_version = BoolOf(spec, "respectSchemaVersion");
  options.pyproject = BoolOf(ObjectOf(spec, "pyproject"), "enabled");
  if (options.package_name.empty()) options.package_name = DefaultPythonDistribution(package);
  return options;
}

NodeOptions NodeOptions::Of(const schema::Package& package) {
  const nlohmann::json spec = package.LanguageOptions("nodejs");
  NodeOptions options;
  options.package_name = TextOf(spec, "packageName");
  options.description = TextOf(spec, "packageDescription");
  options.readme = TextOf(spec, "readme");
  options.compatibility = TextOf(spec, "compatibility");
  options.typescript_version = TextOf(spec, "typescriptVersion");
  options.dependencies = TextMapOf(spec, "dependencies");
  options.dev_dependencies = TextMapOf(spec, "devDependencies");
  options.peer_dependencies = TextMapOf(spec, "peerDependencies");
  options.resolutions = TextMapOf(spec, "resolutions");
  options.module_names = TextMapOf(spec, "moduleToPackage");
  options.provider_modules = TextMapOf(spec, "providerNameToModuleName");
  for (const nlohmann::json& file : ListOf(spec, "extraTypeScriptFiles")) options.extra_files.push_back(TextIn(file));
  options.lift_single_results = BoolOf(spec, "liftSingleValueMethodReturns");
  options.respect_version = BoolOf(spec, "respectSchemaVersion");
  options.no_output_unions = BoolOf(spec, "disableUnionOutputTypes");
  if (options.package_name.empty()) options.package_name = "@" + OwnerOf(package) + "/" + package.name;
  return options;
}

std::string DefaultPythonDistribution(const schema::Package& package) {
  return Replaced(OwnerOf(package) + "_" + package.name, "-", "_");
}

std::string PythonDistribution(const schema::Package& package) { return PythonOptions::Of(package).package_name; }

std::string NodeDistribution(const schema::Package& package) { return NodeOptions::Of(package).package_name; }

std::string OwnerOf(const schema::Package& package) {
  return package.name_space.empty() ? "pulumi" : package.name_space;
}

std::string OwnerOf(const schema::Dependency& dependency, const schema::Package& of) {
  std::string owner = "pulumi";
  for (const auto& other : of.referenced) {
    if (other->name == dependency.name && !other->name_space.empty()) owner = other->name_space;
  }
  return owner;
}

std::string SdkVersion(const schema::Package& package, bool respects_schema) {
  return respects_schema || package.support_pack ? package.version : "";
}

nlohmann::ordered_json PluginMetadata(const schema::Package& package, const std::string& sdk_version) {
  nlohmann::ordered_json plugin;
  plugin["resource"] = true;
  plugin["name"] = package.base ? package.base->name : package.name;
  const std::string version = package.base ? package.base->version : sdk_version;
  if (!version.empty()) plugin["version"] = version;
  if (!package.download_url.empty()) plugin["server"] = package.download_url;
  if (!package.base) return plugin;
  const char* field = package.base->extension ? "extensionParameterization" : "parameterization";
  plugin[field] = {{"name", package.name}, {"version", package.version}, {"value", package.base->parameter}};
  return plugin;
}

std::string ReadmeOf(const schema::Package& package, const std::string& of_language) {
  const auto whole_lines = [](const std::string& text) {
    return text.empty() || text.ends_with('\n') ? text : text + "\n";
  };
  if (!of_language.empty()) return whole_lines(of_language);
  const std::string text = whole_lines(package.description);
  if (package.attribution.empty()) return text;
  return text + (text.empty() ? "" : "\n") + whole_lines(package.attribution);
}

}  // namespace kingpost::sdkgen
