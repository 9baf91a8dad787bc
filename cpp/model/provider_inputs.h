// SPDX-License-Identifier: Apache-2.0
// Providers as resources: how the engine's own settings travel in their inputs (rows 2.9 to 2.12, 2.19).
//
// Under the reserved key "__internal" a provider's inputs say which plugin to run; what is left is the plugin's
// configuration.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "model/provider_spec.h"
#include "model/value.h"

namespace kingpost {

// A wish for a provider of a package.
struct ProviderRequest {
  std::string plugin;  // the plugin's name
  std::string version;
  std::string download_url;
  std::map<std::string, std::string> checksums;
  std::optional<Parameterization> parameterization;

  // The package: the parameterized name if there is one.
  const std::string& package() const { return parameterization ? parameterization->name : plugin; }
  // "default", "default_1_2_3", ... (row 2.10)
  std::string DefaultName() const;
  // Equal for requests that one default provider can serve.
  std::string Key() const;
  friend bool operator==(const ProviderRequest&, const ProviderRequest&) = default;
};

void SetProviderVersion(PropertyMap* inputs, const std::string& version);
void SetProviderUrl(PropertyMap* inputs, const std::string& url);
void SetProviderChecksums(PropertyMap* inputs, const std::map<std::string, std::string>& checksums);
void SetProviderName(PropertyMap* inputs, const std::string& plugin);
void SetProviderParameterization(PropertyMap* inputs, const Parameterization& value);
void SetEnvVarMappings(PropertyMap* inputs, const std::map<std::string, std::string>& mappings);
// All that `request` asks for.
void SetProviderRequest(PropertyMap* inputs, const ProviderRequest& request);

// Reads the plugin from a provider resource's inputs. A failure names the input ("property") and the reason.
struct ProviderPlugin {
  ProviderSpec spec;
  std::optional<Parameterization> parameterization;
};
struct ProviderInputError {
  std::string property, reason;
};
std::variant<ProviderPlugin, ProviderInputError> ParseProviderInputs(const std::string& package,
                                                                     const PropertyMap& inputs);

// The request that the inputs of a recorded provider come from; nothing if they cannot be read.
std::optional<ProviderRequest> RecordedRequest(const std::string& package, const PropertyMap& inputs);

// The inputs without the reserved key.
PropertyMap PluginConfig(const PropertyMap& inputs);
inline constexpr char kInternalKey[] = "__internal";

}  // namespace kingpost
