// SPDX-License-Identifier: Apache-2.0
// Where a plugin is (row 2.18). In this order: the project's `plugins`, PATH, beside this program, the plugin cache.
// Reads directories; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "workspace/project.h"

namespace kingpost {

struct PluginQuery {
  std::string kind;     // "resource", "analyzer", "language"
  std::string name;     // "aws"
  std::string version;  // "" for any
  // The address of a git repository ("git://..."), by which the cache knows its plugins. Others are known by their
  // names.
  std::string download_url = {};
};

struct FoundPlugin {
  std::string name;
  std::string path;  // an executable file, or a directory with a PulumiPlugin.yaml
  bool is_directory = false;
  std::string version;           // of the cache entry; "" if not known
  std::string cache_entry = {};  // its folder in the cache; "" if it is elsewhere
  std::string executable = {};   // which a directory lacks: "pulumi-resource-aws"
  bool is_on_path = false;       // in a folder of PATH: of whatever version, and before the plugin cache
};

struct DiscoveryOptions {
  std::string project_folder;  // paths in the lists are relative to it
  std::vector<PluginOption> provider_plugins, analyzer_plugins, language_plugins;
  std::string cache_folder;    // $PULUMI_HOME/plugins
  bool search_path = true;     // false under PULUMI_IGNORE_AMBIENT_PLUGINS
  std::string program_folder;  // where this program is; "" in an embedding one

  // The settings of the environment.
  static DiscoveryOptions FromEnvironment(const Project& project);
};

// The detail of an error that says no more than that the plugin is not there: it may be installed.
struct MissingPlugin {};

// The error names package, version and what to do.
Result<FoundPlugin> FindPlugin(const PluginQuery& query, const DiscoveryOptions& options);

// Whether the plugin cache got another version than that of the query after a time, in seconds since 1970. False
// for plugins that are not from the cache, and for queries without a version.
bool IsOtherVersionInstalledSince(const PluginQuery& query, const DiscoveryOptions& options, int64_t since);

// Notes beside a cache entry, in KIND-NAME-vVERSION.lastused, that it is about to run. What is not used can be removed.
void MarkPluginUsed(const FoundPlugin& plugin);

// The port of PULUMI_DEBUG_PROVIDERS=aws:12345,gcp:678 for a provider, 0 if it has none.
Result<int> DebugProviderPort(const std::string& name);
// Whether that variable has a port for a provider, or cannot be read: nothing is installed or begun early then.
bool HasDebugPort(const std::string& name);

}  // namespace kingpost
