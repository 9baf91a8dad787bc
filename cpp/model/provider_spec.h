// SPDX-License-Identifier: Apache-2.0
// Which plugin a provider is, and which package it provides if that is built on a plugin.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kingpost {

// A package built on a base plugin (rows 2.19, 2.20).
struct Parameterization {
  std::string name, version;
  std::string value;  // bytes
  friend bool operator==(const Parameterization&, const Parameterization&) = default;
};

// Which plugin to run.
struct ProviderSpec {
  std::string name;     // of the plugin, without "pulumi-resource-"
  std::string version;  // "" for any
  std::string download_url;
  std::map<std::string, std::string> checksums;         // platform -> bytes
  std::map<std::string, std::string> env_var_mappings;  // NEW -> OLD (row 2.21)
  // For error messages and for the environment of dynamic providers: the resource that needs it.
  std::string needed_by;
};

// One process can stand in for the other: all is equal but who needs it.
inline bool IsSamePlugin(const ProviderSpec& one, const ProviderSpec& other) {
  return one.name == other.name && one.version == other.version && one.download_url == other.download_url &&
         one.checksums == other.checksums && one.env_var_mappings == other.env_var_mappings;
}

// Providers that a run will likely ask for.
struct ExpectedProviders {
  std::vector<ProviderSpec> specs;
  // When the record was written that they were taken from, in seconds since 1970; without one, an earlier part of this
  // very run has used them.
  std::optional<int64_t> recorded_at;
  // Nothing is recorded: the providers of the packages that the program requires are expected, too.
  bool first_run = false;
};

}  // namespace kingpost
