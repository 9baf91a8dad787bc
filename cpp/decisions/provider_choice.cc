// SPDX-License-Identifier: Apache-2.0
#include "decisions/provider_choice.h"

#include <nlohmann/json.hpp>

#include "base/json_access.h"

namespace kingpost::decisions {

namespace {

constexpr char kDeniedUrn[] = "urn:pulumi:denied::denied::pulumi:providers:";
constexpr char kDeniedId[] = "denydefaultprovider";

std::string Trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(" \t"));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

}  // namespace

std::string GivenProvider(const std::string& given, const ProvidersByPackage& for_packages,
                          const ProvidersByPackage* of_component, const std::string& package) {
  if (!given.empty()) return given;
  const auto named = for_packages.find(package);
  if (named != for_packages.end()) return named->second;
  if (!of_component) return "";
  const auto inherited = of_component->find(package);
  return inherited == of_component->end() ? "" : inherited->second;
}

bool ServesChild(const std::string& provider_of_parent, const std::string& type, bool is_local_component) {
  if (provider_of_parent.empty()) return false;
  if (is_local_component) return true;
  const auto reference = ProviderReference::Parse(provider_of_parent);
  return reference.ok() && ProviderPackage(reference->urn.type()) == PackageOfType(type);
}

std::string ExplicitProviderOf(const std::string& provider_of_parent, const std::string& package) {
  const auto reference = ProviderReference::Parse(provider_of_parent);
  if (!reference.ok() || ProviderPackage(reference->urn.type()) != package) return "";
  return reference->urn.name().starts_with("default") ? "" : provider_of_parent;
}

Result<bool> IsDefaultProviderDenied(const std::map<std::string, std::string>& config, const std::string& package) {
  if (package == "pulumi") return false;
  const auto setting = config.find("pulumi:disable-default-providers");
  if (setting == config.end() || setting->second.empty()) return false;
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
    const std::string name = Trimmed(TextIn(list[i]));
    if (name == "*" || name == package) return true;
  }
  return false;
}

std::string DeniedDefaultProvider(const std::string& package) {
  return kDeniedUrn + package + "::denied::" + kDeniedId;
}

std::string DeniedPackage(const std::string& reference) {
  const auto parsed = ProviderReference::Parse(reference);
  if (!parsed.ok() || parsed->id != kDeniedId) return "";
  return std::string(ProviderPackage(parsed->urn.type()));
}

std::optional<std::string> WrongReference(const std::string& reference, const Urn& urn) {
  const auto parsed = ProviderReference::Parse(reference);
  if (!parsed.ok()) {
    return "bad provider reference '" + reference + "' for resource '" + urn.str() + "': " + parsed.status().message();
  }
  const std::string denied = DeniedPackage(reference);
  if (denied.empty()) return std::nullopt;
  return "Default provider for '" + denied + "' disabled. '" + urn.str() + "' must use an explicit provider.";
}

StatePtr RecordedProvider(const std::string& reference, const Rows& rows) {
  const auto parsed = ProviderReference::Parse(reference);
  if (!parsed.ok()) return nullptr;
  StatePtr recorded = rows.Old(parsed->urn);
  return recorded && recorded->id == parsed->id ? recorded : nullptr;
}

std::string UnknownProviderText(const std::string& reference, const Urn& urn) {
  return "unknown provider '" + reference + "' for resource '" + urn.str() + "'";
}

}  // namespace kingpost::decisions
