// SPDX-License-Identifier: Apache-2.0
// Former names: which old URNs a registration may stand for (rows 2.3 to 2.5).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost::decisions {

struct AliasContext {
  std::string stack, project;
  // The old URN that a resource of this run was matched with, or "" if none.
  std::function<Urn(const Urn&)> matched_alias;
};

// The URNs to look for after the own one, in order and without repeats: the resource's own aliases, then those
// inherited from an aliased parent, for the resource itself and for each of its aliases.
std::vector<Urn> AliasUrns(const AliasContext& context, const std::string& name, const std::string& type,
                           const Urn& parent, const std::vector<Alias>& aliases);

}  // namespace kingpost::decisions
