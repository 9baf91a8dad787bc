// SPDX-License-Identifier: Apache-2.0
#include "decisions/migrate_base.h"

#include <nlohmann/json.hpp>

#include "base/command_name.h"
#include "base/encoding.h"
#include "base/json_access.h"
#include "model/provider_inputs.h"

namespace kingpost::decisions {

namespace {

// The version of a package's plugin that wrote the snapshot; "" if that is not known.
std::string PluginVersion(const Manifest& manifest, const std::string& package) {
  const auto plugins = ParseJson(manifest.plugins_json);
  if (!plugins.is_array()) return "";
  std::string version;
  for (const auto& plugin : plugins) {
    if (!plugin.is_object() || !plugin.contains("name") || plugin["name"] != package) continue;
    version = plugin.contains("version") && plugin["version"].is_string() ? plugin["version"] : "";
  }
  return version;
}

}  // namespace

std::shared_ptr<const Snapshot> MigrateBase(const Snapshot& base, const std::string& stack, const std::string& project,
                                            const std::function<std::string(int)>& random_bytes,
                                            const std::function<PropertyMap(const std::string&)>& package_config) {
  std::map<std::string, StatePtr> defaults;  // by package
  std::vector<StatePtr> resources;
  bool changed = false;
  for (const StatePtr& recorded : base.resources) {
    const bool lacks_provider = recorded->custom && !recorded->is_provider() && recorded->provider.empty();
    const bool lacks_outputs = recorded->is_provider() && !recorded->inputs.empty() && recorded->outputs.empty() &&
                               !PluginConfig(recorded->inputs).empty();
    if (!lacks_provider && !lacks_outputs) {
      resources.push_back(recorded);
      continue;
    }
    changed = true;
    auto next = std::make_shared<State>(*recorded);
    if (lacks_outputs) next->outputs = PluginConfig(recorded->inputs);
    if (lacks_provider) {
      const std::string package(PackageOfType(recorded->type));
      StatePtr& provider = defaults[package];
      if (!provider) {
        auto made = std::make_shared<State>();
        made->type = MakeProviderType(package);
        made->urn = Urn::Make(stack, project, "", made->type, "default");
        made->custom = true;
        made->id = FormatUuid4(random_bytes(16));
        made->inputs = package_config(package);
        const std::string version = PluginVersion(base.manifest, package);
        if (!version.empty()) SetProviderVersion(&made->inputs, version);
        made->outputs = PluginConfig(made->inputs);
        provider = made;
      }
      next->provider = provider->urn.str() + "::" + provider->id;
    }
    resources.push_back(next);
  }
  if (!changed) return nullptr;
  auto migrated = std::make_shared<Snapshot>(base);
  migrated->resources.clear();
  for (const auto& [package, provider] : defaults) migrated->resources.push_back(provider);
  migrated->resources.insert(migrated->resources.end(), resources.begin(), resources.end());
  return migrated;
}

Status CheckIds(const Snapshot& base) {
  for (const StatePtr& state : base.resources) {
    if (!state->custom || !state->id.empty() || state->pending_delete) continue;
    const std::string urn = "'" + state->urn.str() + "'";
    return Status(Code::kFailedPrecondition, "resource " + urn + " is marked as custom but has no ID; remove it with " +
                                                 QuotedCommand("state delete --disable-integrity-checking " + urn) +
                                                 " before retrying");
  }
  return Status();
}

}  // namespace kingpost::decisions
