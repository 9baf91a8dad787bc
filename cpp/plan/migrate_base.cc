#include "plan/migrate_base.h"

#include "base/encoding.h"
#include "plan/provider_inputs.h"

namespace kingpost::plan {

std::shared_ptr<const Snapshot> MigrateBase(const Snapshot& base, const std::string& stack, const std::string& project,
                                            const std::function<std::string(int)>& random_bytes) {
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

}  // namespace kingpost::plan
