// SPDX-License-Identifier: Apache-2.0
// Questions to packages and to the plugins of languages outside of an operation: schemas, mappings, SDKs.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kingpost/provider_values.h"

namespace kingpost {

struct PackageQuestion {
  ProviderSpec plugin;
  std::vector<std::string> arguments;  // of a parameterized package, as a person writes them
};
struct PackageAnswer {
  std::string schema;          // JSON
  std::string name;            // of the parameterized package, as the plugin says; "" of others
  std::string plugin_version;  // of the plugin that answered, in the cache; "" if it is elsewhere
};

// The mapping of another ecosystem's provider.
struct PackageMapping {
  std::string provider;  // "" if there is none
  std::string data;
};

struct SdkRequest {
  std::string language;  // "go"
  std::string folder;    // where the files go
  std::string package, schema;
  std::map<std::string, std::string> extra_files;
  bool local = false;
};
// A message of a language's plugin, with whether it is an error.
using SdkMessages = std::vector<std::pair<bool, std::string>>;

// A program or a project out of what all languages are written from (languages/codegen/writers.h). `schemas`: of the
// packages that it uses, which the plugin then need not ask for.
struct ProgramRequest {
  std::string language;
  std::map<std::string, std::string> source;  // file name -> text
  std::map<std::string, std::string> schemas;
  bool strict = false;
};
struct ProgramAnswer {
  SdkMessages messages;
  std::map<std::string, std::string> files;
};
struct ProjectRequest {
  std::string language;
  std::string source_folder, target_folder;
  std::string project;  // JSON
  std::map<std::string, std::string> schemas;
  bool strict = false;
};

struct LinkRequest {
  std::string language;
  std::string root;  // the program's folder
  std::string path;  // of the SDK, relative to it
  std::string package, version, schema;
};

}  // namespace kingpost
