// SPDX-License-Identifier: Apache-2.0
#include "engine/default_providers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "model/dynamic_provider.h"
#include "model/semver.h"

namespace kingpost::engine {

Status DefaultProviders::SetRequired(const std::vector<RequiredPackage>& packages) {
  bool told = false;
  for (const RequiredPackage& package : packages) {
    if (package.kind != "resource") continue;
    told = true;
    naming::ProviderRequest request;
    request.plugin = package.name;
    request.version = package.version;
    request.download_url = package.download_url;
    request.checksums = package.checksums;
    request.parameterization = package.parameterization;
    Status required = Require(std::move(request));
    if (!required.ok()) return required;
  }
  if (told) return Status();
  for (const StatePtr& recorded : operation_.base->resources) {
    if (!recorded->is_provider()) continue;
    auto request = naming::RecordedRequest(std::string(ProviderPackage(recorded->type)), recorded->inputs);
    KP_TRY(request ? Require(std::move(*request)) : Status());
  }
  return Status();
}

Status DefaultProviders::Require(naming::ProviderRequest request) {
  auto [slot, inserted] = required_.try_emplace(request.package(), request);
  if (inserted) return Status();
  naming::ProviderRequest& known = slot->second;
  if (known.plugin != request.plugin) {
    return Status(Code::kFailedPrecondition, "package \"" + request.package() +
                                                 "\" is provided by more than one plugin: " + known.plugin + " and " +
                                                 request.plugin + "; remove one of them");
  }
  const std::string& known_version = known.parameterization ? known.parameterization->version : known.version;
  const std::string& version = request.parameterization ? request.parameterization->version : request.version;
  if (known_version.empty() || (!version.empty() && naming::CompareSemver(version, known_version) > 0)) {
    known = std::move(request);
  }
  return Status();
}

const naming::ProviderRequest* DefaultProviders::Required(const std::string& package) const {
  auto found = required_.find(package);
  return found == required_.end() ? nullptr : &found->second;
}

naming::ProviderRequest DefaultProviders::Complete(naming::ProviderRequest request) const {
  const naming::ProviderRequest* known = Required(request.package());
  if (!known) return request;
  if (request.version.empty()) request.version = known->version;
  if (request.download_url.empty()) request.download_url = known->download_url;
  if (request.checksums.empty()) request.checksums = known->checksums;
  if (!request.parameterization) {
    request.parameterization = known->parameterization;
    if (known->parameterization) request.plugin = known->plugin;
  }
  return request;
}

Result<bool> DefaultProviders::Denied(const std::string& package) const {
  if (package == "pulumi") return false;
  auto setting = operation_.config.find("pulumi:disable-default-providers");
  if (setting == operation_.config.end() || setting->second.empty()) return false;
  const auto list = ParseJson(setting->second);
  if (!list.is_array()) {
    return Status(Code::kInvalidArgument,
                  "Failed to parse pulumi:disable-default-providers: it must be a JSON list of package names, such as "
                  "[\"aws\"] or [\"*\"]");
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) {
      return Status(Code::kInvalidArgument,
                    "pulumi:disable-default-providers[" + std::to_string(i) + "] must be a string");
    }
    std::string name = TextIn(list[i]);
    name.erase(0, name.find_first_not_of(" \t"));
    name.erase(name.find_last_not_of(" \t") + 1);
    if (name == "*" || name == package) return true;
  }
  return false;
}

PropertyMap DefaultProviders::PackageConfig(const std::string& package) const {
  PropertyMap inputs;
  // The code of dynamic providers is the program's own: they get all of its configuration, under its full names.
  const std::string prefix = naming::IsDynamicProvider(package) ? "" : package + ":";
  for (auto entry = operation_.config.lower_bound(prefix);
       entry != operation_.config.end() && entry->first.compare(0, prefix.size(), prefix) == 0; ++entry) {
    const auto& secrets = operation_.config_secret_keys;
    const bool secret = std::find(secrets.begin(), secrets.end(), entry->first) != secrets.end();
    Value value(entry->second);
    inputs.Set(entry->first.substr(prefix.size()), secret ? Value::Secret(value) : value);
  }
  return inputs;
}

Task<Result<std::string>> DefaultProviders::Get(naming::ProviderRequest request) {
  request = Complete(std::move(request));
  Result<bool> denied = Denied(request.package());
  if (!denied.ok()) co_return denied.status();
  if (*denied) co_return providers::DeniedDefaultProvider(request.package());

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
  naming::SetProviderRequest(&goal->inputs, request);
  Result<Registered> registered = co_await registrar_.Register(std::move(goal), std::nullopt);
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
