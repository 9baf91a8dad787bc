// SPDX-License-Identifier: Apache-2.0
// The part of a schema about its package's SDKs: the options that it has for each language, and the facts that go into
// the files of both. Pure.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "languages/schema/package.h"

namespace kingpost::sdkgen {

using TextMap = std::map<std::string, std::string>;

struct PythonOptions {
  std::string package_name, python_requires, readme, compatibility, input_types;
  TextMap requires_, module_names;
  bool lift_single_results = false, respect_version = false, pyproject = false;

  static PythonOptions Of(const schema::Package& package);
  bool typed_dicts() const { return input_types != "classes"; }
  // Names of types do not tell whether they take outputs.
  bool plain_names() const { return compatibility == "tfbridge20" || compatibility == "kubernetes20"; }
};

struct NodeOptions {
  std::string package_name, description, readme, compatibility, typescript_version;
  TextMap dependencies, dev_dependencies, peer_dependencies, resolutions, module_names, provider_modules;
  std::vector<std::string> extra_files;
  bool lift_single_results = false, respect_version = false, no_output_unions = false;

  static NodeOptions Of(const schema::Package& package);
  bool plain_names() const { return compatibility == "tfbridge20" || compatibility == "kubernetes20"; }
};

// The publisher of the package, in a form for names: "pulumi" where the schema does not say.
std::string OwnerOf(const schema::Package& package);
std::string OwnerOf(const schema::Dependency& dependency, const schema::Package& of);
// The version that the SDK has where its schema decides that; else "".
std::string SdkVersion(const schema::Package& package, bool respects_schema);
// The SDK's description of its plugin: pulumi-plugin.json, and "pulumi" in package.json.
nlohmann::ordered_json PluginMetadata(const schema::Package& package, const std::string& sdk_version);
// The content of the README: what the language says, or the package's description with its attribution.
std::string ReadmeOf(const schema::Package& package, const std::string& of_language);

}  // namespace kingpost::sdkgen
