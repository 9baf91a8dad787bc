// SPDX-License-Identifier: Apache-2.0
// Which provider serves a resource, and which reference to one is good (rows 2.8, 2.13, 2.14). Pure.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "decisions/rows.h"

namespace kingpost::decisions {

using ProvidersByPackage = std::map<std::string, std::string>;

// The reference for a resource or a function of a package. It is the given one, else the one given for the package,
// else that of the component above it (null: none); "" stands for the default provider.
std::string GivenProvider(const std::string& given, const ProvidersByPackage& for_packages,
                          const ProvidersByPackage* of_component, const std::string& package);

// Whether a child gets its parent's provider: a local component does, for what is below it, and so does a resource of
// the package that the provider serves. Fails for nothing: what cannot be read serves nobody.
bool ServesChild(const std::string& provider_of_parent, const std::string& type, bool is_local_component);

// The provider of a custom resource, for a function of the package that names only the resource as its parent: if it
// serves the package, and the program chose it. A default one does not count, because the function's own version
// chooses among those. "" if there is none.
std::string ExplicitProviderOf(const std::string& provider_of_parent, const std::string& package);

// ---- default providers that the configuration forbids

// Whether "pulumi:disable-default-providers" forbids that of the package. Fails if the setting cannot be read.
Result<bool> IsDefaultProviderDenied(const std::map<std::string, std::string>& config, const std::string& package);
// The reference that stands for the denial, and the package that one denies; "" if it denies none.
std::string DeniedDefaultProvider(const std::string& package);
std::string DeniedPackage(const std::string& reference);

// ---- references

// The fault of a reference by itself; nullopt if there is none.
std::optional<std::string> WrongReference(const std::string& reference, const Urn& urn);
// The recorded provider that a reference means, which this run has not configured; null if there is none.
StatePtr RecordedProvider(const std::string& reference, const Rows& rows);
std::string UnknownProviderText(const std::string& reference, const Urn& urn);

}  // namespace kingpost::decisions
