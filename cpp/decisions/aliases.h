// SPDX-License-Identifier: Apache-2.0
// Former names: which old URNs a registration may stand for (rows 2.3 to 2.6, 3.3).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "decisions/rows.h"

namespace kingpost::decisions {

struct AliasContext {
  std::string stack, project;
  // The old URN that a resource of this run was matched with, or "" if none.
  std::function<Urn(const Urn&)> matched_alias;
};

// Returns the URNs to look for after the own one, in order and without repeats. First come the resource's own
// aliases. Then those inherited from an aliased parent, for the resource itself and for each of its aliases.
std::vector<Urn> AliasUrns(const AliasContext& context, const std::string& name, const std::string& type,
                           const Urn& parent, const std::vector<Alias>& aliases);

// The same of a registration in this run. A resource that a state migration of this run has replaced has its
// successor's name here.
std::vector<Urn> FormerNames(const std::string& stack, const std::string& project, const Urn& parent,
                             const std::string& type, const std::string& name, const std::vector<Alias>& aliases,
                             const Rows& rows);

// The recorded resource that a registration or a read continues.
struct RecordedMatch {
  StatePtr state;                    // null if nothing is recorded
  Urn alias;                         // the former name it was found under, "" if its own
  std::vector<std::string> clashes;  // with what others claim, to be told as errors
};
// By its own URN first, then by its aliases in their order; the first that is recorded is it. Two resources cannot both
// have been the same one, and a name that another has taken as its alias cannot be registered in the same run.
RecordedMatch FindRecordedMatch(const std::string& stack, const std::string& project, const Urn& urn, const Urn& parent,
                                const std::string& type, const std::string& name, const std::vector<Alias>& aliases,
                                const Rows& rows);

}  // namespace kingpost::decisions
