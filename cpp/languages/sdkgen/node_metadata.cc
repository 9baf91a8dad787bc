// SPDX-License-Identifier: Apache-2.0
// The files of an SDK for npm and the compiler, and the code that its files share.
#include <nlohmann/json.hpp>

#include "languages/sdkgen/node_scope.h"

namespace kingpost::sdkgen::node {

namespace {

constexpr char kTypeScriptRange[] = "^4.7.0";
constexpr char kNodeTypesRange[] = "^20";
constexpr char kCoreRange[] = "^3.269.0";  // from which on it can look for what exists

}  // namespace

std::string PackageFile(const Scope& in, bool local) {
  const schema::Package& package = in.package;
  const NodeOptions& options = in.options;
  const std::string version = SdkVersion(package, options.respect_version);
  nlohmann::ordered_json file;
  const auto set = [&file](const char* name, const auto& value) {
    if (!value.empty()) file[name] = value;
  };
  set("name", options.package_name);
  set("version", version.empty() ? "${VERSION}" : version);
  set("description", options.description);
  set("keywords", package.keywords);
  set("homepage", package.homepage);
  set("repository", package.repository);
  set("license", package.license);
  if (local) file["main"] = "bin/index.js";
  file["scripts"]["build"] = "tsc";
  if (local) file["scripts"]["postinstall"] = "node ./scripts/postinstall.js";

  TextMap needed = options.dependencies, to_build = options.dev_dependencies;
  for (const schema::Dependency& dependency : package.dependencies) {
    needed["@" + OwnerOf(dependency, package) + "/" + dependency.name] = dependency.version;
  }
  const std::string& typescript = options.typescript_version;
  const TextMap compilers = {{"typescript", typescript.empty() ? kTypeScriptRange : typescript},
                             {"@types/node", kNodeTypesRange}};
  for (const auto& [name, range] : compilers) {
    to_build.emplace(name, range);
    if (!local) continue;
    // A local SDK is compiled where it is installed.
    to_build.erase(name);
    needed[name] = range;
  }
  const std::string core = "@pulumi/pulumi";
  if (needed.count(core) + to_build.count(core) + options.peer_dependencies.count(core) == 0) needed[core] = kCoreRange;
  file["dependencies"] = needed;
  set("devDependencies", to_build);
  set("peerDependencies", options.peer_dependencies);
  set("resolutions", options.resolutions);
  file["pulumi"] = PluginMetadata(package, version);
  return file.dump(4) + "\n";
}

std::string CompilerFile(const NodeOptions& options, const Files& files) {
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
  std::set<std::string> sources(options.extra_files.begin(), options.extra_files.end());
  for (const auto& [path, content] : files) {
    if (path.ends_with(".ts")) sources.insert(path);
  }
  file["files"] = sources;
  return file.dump(4) + "\n";
}

std::string UtilitiesFile(const schema::Package& package) {
  const std::string from = package.download_url.empty() ? "" : ", pluginDownloadURL: " + Quote(package.download_url);
  const std::string text = GeneratedNote("//") + "\n" + Replaced(kNodeUtilities, "/*downloadUrl*/", from);
  if (!package.base) return text;
  const schema::BasePlugin& base = *package.base;
  return text +
         "\nexport async function getPackage(): Promise<string | undefined> {\n    return runtime.registerPackage({\n" +
         "        baseProviderName: " + Quote(base.name) + ",\n        baseProviderVersion: " + Quote(base.version) +
         ",\n        baseProviderDownloadUrl: " + Quote(package.download_url) +
         ",\n        packageName: " + Quote(package.name) + ",\n        packageVersion: " + Quote(package.version) +
         ",\n        base64Parameter: " + Quote(base.parameter) + (base.extension ? ",\n        extension: true" : "") +
         ",\n    });\n}\n";
}

}  // namespace kingpost::sdkgen::node
