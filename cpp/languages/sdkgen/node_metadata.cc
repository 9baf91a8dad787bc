// SPDX-License-Identifier: Apache-2.0
// The files of an SDK for npm and the compiler, and the code that its files share.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/json_access.h"
#include "languages/sdkgen/node_generator.h"
#include "languages/sdkgen/plugin_metadata.h"
#include "languages/sdkgen/text.h"
#include "languages/sdkgen/text_map.h"

namespace kingpost::sdkgen {

namespace {

constexpr char kTypeScriptRange[] = "^4.7.0";
constexpr char kNodeTypesRange[] = "^20";
constexpr char kCoreRange[] = "^3.269.0";  // from which on it can look for what exists

}  // namespace

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
  return options;
}

std::string NodeGenerator::Version() const {
  const bool versioned = !package_.version.empty() && (node_.respect_version || package_.support_pack);
  return versioned ? package_.version : "";
}

std::string NodeGenerator::PackageFile() const {
  nlohmann::ordered_json file;
  const std::string scope = package_.name_space.empty() ? "pulumi" : package_.name_space;
  file["name"] = node_.package_name.empty() ? "@" + scope + "/" + package_.name : node_.package_name;
  file["version"] = Version().empty() ? "${VERSION}" : Version();
  const std::pair<const char*, std::string> texts[] = {
      {"homepage", package_.homepage}, {"repository", package_.repository}, {"license", package_.license}};
  if (!node_.description.empty()) file["description"] = node_.description;
  if (!package_.keywords.empty()) file["keywords"] = package_.keywords;
  for (const auto& [name, text] : texts) {
    if (!text.empty()) file[name] = text;
  }
  if (options_.local) file["main"] = "bin/index.js";
  file["scripts"]["build"] = "tsc";
  if (options_.local) file["scripts"]["postinstall"] = "node ./scripts/postinstall.js";

  std::map<std::string, std::string> needed = node_.dependencies, to_build = node_.dev_dependencies;
  for (const schema::Dependency& dependency : package_.dependencies) {
    std::string owner = "pulumi";
    for (const auto& other : package_.referenced) {
      if (other->name == dependency.name && !other->name_space.empty()) owner = other->name_space;
    }
    needed["@" + owner + "/" + dependency.name] = dependency.version;
  }
  // A local SDK is compiled where it is installed.
  std::map<std::string, std::string>& compilers = options_.local ? needed : to_build;
  const std::string typescript = node_.typescript_version.empty() ? kTypeScriptRange : node_.typescript_version;
  if (options_.local) {
    needed["typescript"] = typescript;
    needed["@types/node"] = kNodeTypesRange;
    to_build.erase("typescript");
    to_build.erase("@types/node");
  } else {
    compilers.emplace("typescript", typescript);
    compilers.emplace("@types/node", kNodeTypesRange);
  }
  const std::string core = "@pulumi/pulumi";
  if (needed.count(core) + to_build.count(core) + node_.peer_dependencies.count(core) == 0) {
    needed[core] = kCoreRange;
  }
  file["dependencies"] = needed;
  if (!to_build.empty()) file["devDependencies"] = to_build;
  if (!node_.peer_dependencies.empty()) file["peerDependencies"] = node_.peer_dependencies;
  if (!node_.resolutions.empty()) file["resolutions"] = node_.resolutions;
  file["pulumi"] = PluginMetadata(package_, Version());
  return file.dump(4) + "\n";
}

std::string NodeGenerator::CompilerFile() const {
  nlohmann::ordered_json file;
  file["compilerOptions"] = {{"outDir", "bin"},
                             {"declaration", true},
                             {"declarationMap", true},
                             {"sourceMap", true},
                             {"stripInternal", true},
                             {"target", "ES2022"},
                             {"module", "nodenext"},
                             {"moduleResolution", "nodenext"},
                             {"moduleDetection", "force"},
                             {"types", {"node"}},
                             {"strict", true},
                             {"noFallthroughCasesInSwitch", true},
                             {"noImplicitReturns", true},
                             {"skipLibCheck", true}};
  std::set<std::string> sources(node_.extra_files.begin(), node_.extra_files.end());
  for (const auto& [path, content] : files_) {
    if (path.ends_with(".ts")) sources.insert(path);
  }
  file["files"] = sources;
  return file.dump(4) + "\n";
}

std::string NodeGenerator::UtilitiesFile() const {
  const std::string from = package_.download_url.empty() ? "" : ", pluginDownloadURL: " + Quote(package_.download_url);
  std::string text = std::string("// ") + kGeneratedBy + "\n// " + kDoNotEdit + "\n" +
                     Replaced(kNodeUtilities, "/*downloadUrl*/", from);
  if (!package_.base) return text;
  const schema::BasePlugin& base = *package_.base;
  return text +
         "\nexport async function getPackage(): Promise<string | undefined> {\n    return runtime.registerPackage({\n" +
         "        baseProviderName: " + Quote(base.name) + ",\n        baseProviderVersion: " + Quote(base.version) +
         ",\n        baseProviderDownloadUrl: " + Quote(package_.download_url) +
         ",\n        packageName: " + Quote(package_.name) + ",\n        packageVersion: " + Quote(package_.version) +
         ",\n        base64Parameter: " + Quote(base.parameter) + (base.extension ? ",\n        extension: true" : "") +
         ",\n    });\n}\n";
}

}  // namespace kingpost::sdkgen
