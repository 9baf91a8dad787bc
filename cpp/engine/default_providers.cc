// SPDX-License-Identifier: Apache-2.0
#include "engine/default_providers.h"

#include <algorithm>

#include "decisions/provider_choice.h"
#include "model/dynamic_provider.h"

namespace kingpost::engine {

Status DefaultProviders::SetRequired(const std::vector<RequiredPackage>& packages) {
  return required_.Learn(packages, operation_.base->resources);
}

PropertyMap DefaultProviders::PackageConfig(const std::string& package) const {
  PropertyMap inputs;
  // The code of dynamic providers is the program's own: they get all of its configuration, under its full names.
  const std::string prefix = IsDynamicProvider(package) ? "" : package + ":";
  for (auto entry = operation_.config.lower_bound(prefix);
       entry != operation_.config.end() && entry->first.compare(0, prefix.size(), prefix) == 0; ++entry) {
    const auto& secrets = operation_.config_secret_keys;
    const bool secret = std::find(secrets.begin(), secrets.end(), entry->first) != secrets.end();
    Value value(entry->second);
    inputs.Set(entry->first.substr(prefix.size()), secret ? Value::Secret(value) : value);
  }
  return inputs;
}

Task<Result<std::string>> DefaultProviders::Get(ProviderRequest request) {
  request = Complete(std::move(request));
  Result<bool> denied = decisions::IsDefaultProviderDenied(operation_.config, request.package());
  if (!denied.ok()) co_return denied.status();
  if (*denied) co_return decisions::DeniedDefaultProvider(request.package());

  auto& known = providers_[request.Key()];
  if (known) {
    auto pending = known;
    co_await pending->done;
    co_return pending->reference;
  }
  known = std::make_shared<Pending>(loop_);
  auto pending = known;
  auto goal = std::make_shared<Goal>();
  goal->type = MakeProviderType(request.package());
  goal->name = request.DefaultName();
  goal->custom = true;
  goal->inputs = PackageConfig(request.package());
  SetProviderRequest(&goal->inputs, request);
  Result<ResourceAnswer> registered = co_await requests_.Register(std::move(goal), std::nullopt);
  if (!registered.ok()) {
    pending->reference = registered.status();
  } else if (registered->outcome != RegisterOutcome::kSuccess || registered->state->id.empty()) {
    pending->reference =
        Status(Code::kUnavailable, "the default provider for package " + request.package() + " could not be made");
  } else {
    pending->reference = registered->state->urn.str() + "::" + registered->state->id;
  }
  pending->done.Set();
  co_return pending->reference;
}

}  // namespace kingpost::engine
