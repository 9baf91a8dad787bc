// SPDX-License-Identifier: Apache-2.0
#include "decisions/required_packages.h"

#include <set>

#include "model/semver.h"

namespace kingpost::decisions {

namespace {

// Programs require packages of other kinds too, which are no providers.
bool IsOfResources(const RequiredPackage& package) { return package.kind == "resource"; }

const std::string& VersionOf(const ProviderRequest& request) {
  return request.parameterization ? request.parameterization->version : request.version;
}

std::map<std::string, std::set<std::string>> RecordedVersions(const std::vector<StatePtr>& recorded) {
  std::map<std::string, std::set<std::string>> versions;
  for (const StatePtr& state : recorded) {
    if (!state->is_provider()) continue;
    const auto parsed = ParseProviderInputs(std::string(ProviderPackage(state->type)), state->inputs);
    const auto* plugin = std::get_if<ProviderPlugin>(&parsed);
    if (!plugin) continue;
    const auto& parameterization = plugin->parameterization;
    const std::string& version = parameterization ? parameterization->version : plugin->spec.version;
    if (!version.empty()) versions[parameterization ? parameterization->name : plugin->spec.name].insert(version);
  }
  return versions;
}

}  // namespace

Status RequiredPackages::Learn(const std::vector<RequiredPackage>& of_program, const std::vector<StatePtr>& recorded) {
  bool told = false;
  for (const RequiredPackage& package : of_program) {
    if (!IsOfResources(package)) continue;
    told = true;
    ProviderRequest request;
    request.plugin = package.name;
    request.version = package.version;
    request.download_url = package.download_url;
    request.checksums = package.checksums;
    request.parameterization = package.parameterization;
    KP_TRY(Add(std::move(request)));
  }
  if (told) return Status();
  for (const StatePtr& state : recorded) {
    if (!state->is_provider()) continue;
    auto request = RecordedRequest(std::string(ProviderPackage(state->type)), state->inputs);
    KP_TRY(request ? Add(std::move(*request)) : Status());
  }
  return Status();
}

Status RequiredPackages::Add(ProviderRequest request) {
  auto [slot, inserted] = required_.try_emplace(request.package(), request);
  if (inserted) return Status();
  ProviderRequest& known = slot->second;
  if (known.plugin != request.plugin) {
    return Status(Code::kFailedPrecondition, "package \"" + request.package() +
                                                 "\" is provided by more than one plugin: " + known.plugin + " and " +
                                                 request.plugin + "; remove one of them");
  }
  const std::string& version = VersionOf(request);
  const bool higher = !version.empty() && CompareSemver(version, VersionOf(known)) > 0;
  if (VersionOf(known).empty() || higher) known = std::move(request);
  return Status();
}

const ProviderRequest* RequiredPackages::Find(const std::string& package) const {
  const auto found = required_.find(package);
  return found == required_.end() ? nullptr : &found->second;
}

ProviderRequest RequiredPackages::Complete(ProviderRequest request) const {
  const ProviderRequest* known = Find(request.package());
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

std::vector<RequiredPackage> RecordedPackages(const std::vector<StatePtr>& recorded) {
  std::vector<RequiredPackage> packages;
  for (const StatePtr& state : recorded) {
    if (!state->is_provider()) continue;
    auto request = RecordedRequest(std::string(ProviderPackage(state->type)), state->inputs);
    if (!request) continue;
    packages.push_back({request->plugin, "resource", request->version, request->download_url, request->checksums,
                        request->parameterization});
  }
  return packages;
}

std::vector<OlderPackage> OlderPackages(const std::vector<RequiredPackage>& of_program,
                                        const std::vector<StatePtr>& recorded) {
  const auto versions = RecordedVersions(recorded);
  std::vector<OlderPackage> found;
  for (const RequiredPackage& package : of_program) {
    if (!IsOfResources(package)) continue;
    const auto& parameterization = package.parameterization;
    const std::string& name = parameterization ? parameterization->name : package.name;
    const std::string& wanted = parameterization ? parameterization->version : package.version;
    const auto known = versions.find(name);
    if (wanted.empty() || known == versions.end()) continue;
    for (const std::string& version : known->second) {
      if (CompareSemver(version, wanted) < 0) found.push_back({name, version, wanted});
    }
  }
  return found;
}

}  // namespace kingpost::decisions
