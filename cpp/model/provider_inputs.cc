// SPDX-License-Identifier: Apache-2.0
#include "model/provider_inputs.h"

#include <variant>

#include "base/encoding.h"
#include "model/semver.h"

namespace kingpost {

namespace {

constexpr char kVersion[] = "version";
constexpr char kName[] = "name";
constexpr char kUrl[] = "pluginDownloadURL";
constexpr char kChecksums[] = "pluginChecksums";
constexpr char kParameterization[] = "parameterization";
constexpr char kEnvVarMappings[] = "envVarMappings";

PropertyMap Internal(const PropertyMap& inputs) {
  const Value* internal = inputs.Find(kInternalKey);
  return internal && internal->is_object() ? internal->as_object() : PropertyMap();
}

void SetInternal(PropertyMap* inputs, const char* key, Value value) {
  PropertyMap internal = Internal(*inputs);
  internal.Set(key, std::move(value));
  inputs->Set(kInternalKey, Value(std::move(internal)));
}

bool IsQNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

// A URL as part of a name: every other character becomes "_", empty segments between slashes go.
std::string QName(std::string_view text) {
  std::string out, segment;
  auto flush = [&] {
    if (!segment.empty()) out += (out.empty() ? "" : "/") + segment;
    segment.clear();
  };
  for (char c : text) {
    if (c == '/') {
      flush();
    } else {
      segment += IsQNameChar(c) ? c : '_';
    }
  }
  flush();
  return out.empty() ? "_" : out;
}

using Refusal = std::optional<ProviderInputError>;

Refusal ReadName(const Value* name, ProviderSpec* spec) {
  if (!name) return std::nullopt;
  if (!name->is_string()) return ProviderInputError{kName, "'name' must be a string"};
  if (name->as_string().empty()) return ProviderInputError{kName, "'name' must not be empty"};
  spec->name = name->as_string();
  return std::nullopt;
}

Refusal ReadVersion(const Value* version, ProviderSpec* spec) {
  if (!version || version->is_null()) return std::nullopt;
  if (!version->is_string()) return ProviderInputError{kVersion, "'version' must be a string"};
  spec->version = TolerantSemver(version->as_string());
  if (!spec->version.empty()) return std::nullopt;
  return ProviderInputError{
      kVersion, "could not parse provider version: Invalid character(s) found in " + Quote(version->as_string())};
}

Refusal ReadUrl(const Value* url, ProviderSpec* spec) {
  if (!url) return std::nullopt;
  if (!url->is_string()) return ProviderInputError{kUrl, "'pluginDownloadURL' must be a string"};
  spec->download_url = url->as_string();
  return std::nullopt;
}

Refusal ReadChecksums(const Value* checksums, ProviderSpec* spec) {
  if (!checksums) return std::nullopt;
  if (!checksums->is_object()) return ProviderInputError{kChecksums, "'pluginChecksums' must be an object"};
  for (const auto& [platform, hex] : checksums->as_object()) {
    const std::string must_be = "'pluginChecksums[" + platform + "]' must be a ";
    if (!hex.is_string()) return ProviderInputError{kChecksums, must_be + "string"};
    auto bytes = HexDecode(hex.as_string());
    if (!bytes) return ProviderInputError{kChecksums, must_be + "hexadecimal string"};
    spec->checksums[platform] = std::move(*bytes);
  }
  return std::nullopt;
}

// The version beside the reserved key is the package's own; the plugin's is within.
Refusal ReadParameterization(const std::string& package, const Value& parameter, const Value* version,
                             std::optional<Parameterization>* out) {
  if (!parameter.is_string()) return ProviderInputError{"parameter", "'parameterization' must be of type string"};
  auto bytes = Base64Decode(parameter.as_string());
  if (!bytes) return ProviderInputError{"parameter", "could not decode base64 parameter value"};
  if (!version || !version->is_string()) {
    return ProviderInputError{"parameter", "must have a 'version' field of type string"};
  }
  *out = Parameterization{package, version->as_string(), *bytes};
  return std::nullopt;
}

Refusal ReadEnvVarMappings(const Value* mappings, ProviderSpec* spec) {
  if (!mappings) return std::nullopt;
  if (!mappings->is_object()) return ProviderInputError{kEnvVarMappings, "'envVarMappings' must be an object"};
  for (const auto& [new_name, old_name] : mappings->as_object()) {
    if (!old_name.is_string()) {
      return ProviderInputError{kEnvVarMappings, "'envVarMappings[" + new_name + "]' must be a string"};
    }
    spec->env_var_mappings[new_name] = old_name.as_string();
  }
  return std::nullopt;
}

}  // namespace

std::string ProviderRequest::DefaultName() const {
  std::string name = "default";
  const std::string& full = parameterization ? parameterization->version : version;
  for (const char c : full.empty() ? std::string() : "_" + full) {
    name += c == '.' || c == '-' || c == '+' ? '_' : c;
  }
  if (!download_url.empty()) name += "_" + QName(download_url);
  return name;
}

std::string ProviderRequest::Key() const {
  std::string key = package();
  const std::string& full = parameterization ? parameterization->version : version;
  if (!full.empty()) key += "-" + full;
  if (!download_url.empty()) key += "-" + download_url;
  return key;
}

void SetProviderVersion(PropertyMap* inputs, const std::string& version) {
  inputs->Set(kInternalKey, Value(Internal(*inputs)));
  inputs->Set(kVersion, Value(version));
}

void SetProviderUrl(PropertyMap* inputs, const std::string& url) { SetInternal(inputs, kUrl, Value(url)); }

void SetProviderChecksums(PropertyMap* inputs, const std::map<std::string, std::string>& checksums) {
  PropertyMap map;
  for (const auto& [platform, bytes] : checksums) map.Set(platform, Value(HexEncode(bytes)));
  SetInternal(inputs, kChecksums, Value(std::move(map)));
}

void SetProviderName(PropertyMap* inputs, const std::string& plugin) { SetInternal(inputs, kName, Value(plugin)); }

void SetProviderParameterization(PropertyMap* inputs, const Parameterization& value) {
  const Value* base_version = inputs->Find(kVersion);
  SetInternal(inputs, kVersion, base_version ? *base_version : Value());
  inputs->Set(kVersion, Value(value.version));
  SetInternal(inputs, kParameterization, Value(Base64Encode(value.value)));
}

void SetEnvVarMappings(PropertyMap* inputs, const std::map<std::string, std::string>& mappings) {
  PropertyMap map;
  for (const auto& [new_name, old_name] : mappings) map.Set(new_name, Value(old_name));
  SetInternal(inputs, kEnvVarMappings, Value(std::move(map)));
}

void SetProviderRequest(PropertyMap* inputs, const ProviderRequest& request) {
  if (!request.version.empty()) SetProviderVersion(inputs, request.version);
  if (!request.download_url.empty()) SetProviderUrl(inputs, request.download_url);
  if (!request.checksums.empty()) SetProviderChecksums(inputs, request.checksums);
  if (!request.parameterization) return;
  SetProviderName(inputs, request.plugin);
  SetProviderParameterization(inputs, *request.parameterization);
}

PropertyMap PluginConfig(const PropertyMap& inputs) {
  if (!inputs.Has(kInternalKey)) return inputs;
  PropertyMap config = inputs;
  config.Erase(kInternalKey);
  return config;
}

std::optional<ProviderRequest> RecordedRequest(const std::string& package, const PropertyMap& inputs) {
  auto parsed = ParseProviderInputs(package, inputs);
  const auto* plugin = std::get_if<ProviderPlugin>(&parsed);
  if (!plugin) return std::nullopt;
  ProviderRequest request;
  request.plugin = plugin->spec.name;
  request.version = plugin->spec.version;
  request.download_url = plugin->spec.download_url;
  request.checksums = plugin->spec.checksums;
  request.parameterization = plugin->parameterization;
  return request;
}

std::variant<ProviderPlugin, ProviderInputError> ParseProviderInputs(const std::string& package,
                                                                     const PropertyMap& inputs) {
  ProviderPlugin plugin;
  ProviderSpec& spec = plugin.spec;
  spec.name = package;
  const Value* reserved = inputs.Find(kInternalKey);
  if (reserved && !reserved->is_null() && !reserved->is_object()) {
    return ProviderInputError{kName, "'__internal' must be an object"};
  }
  // States older than the reserved key hold the settings beside the configuration.
  const bool old = !reserved || !reserved->is_object();
  const PropertyMap internal = old ? inputs : reserved->as_object();
  const Value* parameter = internal.Find(kParameterization);
  Refusal refused = old ? std::nullopt : ReadName(internal.Find(kName), &spec);
  if (!refused) refused = ReadVersion(parameter ? internal.Find(kVersion) : inputs.Find(kVersion), &spec);
  if (!refused) refused = ReadUrl(internal.Find(kUrl), &spec);
  if (!refused) refused = ReadChecksums(internal.Find(kChecksums), &spec);
  if (!refused && parameter) {
    refused = ReadParameterization(package, *parameter, inputs.Find(kVersion), &plugin.parameterization);
  }
  if (!refused) refused = ReadEnvVarMappings(internal.Find(kEnvVarMappings), &spec);
  if (refused) return *refused;
  return plugin;
}

}  // namespace kingpost
