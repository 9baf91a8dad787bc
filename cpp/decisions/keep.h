// SPDX-License-Identifier: Apache-2.0
// What stays as it is because targets or excludes leave it out, and what has to stay with it (rows 3.33, 3.34). Pure.
#pragma once

#include <unordered_set>
#include <vector>

#include "decisions/decision.h"
#include "decisions/rows.h"
#include "decisions/selection.h"

namespace kingpost::decisions {

// What becomes of a registration that is left out, `because` of targets or excludes: what is not recorded is not made,
// what this run has kept already, for the sake of something else, is answered, all else is kept.
Decision ChooseLeftOut(const StatePtr& old_state, ReasonPtr because, const Rows& rows);

// Fails for a resource that has been kept for the sake of what depends on it, before it was registered.
Status MayStillChange(const Urn& urn, const Rows& rows);
// What the sames of a chain stand on, as it was recorded: where this run changes it, they are written after it.
std::vector<Urn> WrittenAfter(const Chain& chain);

// Whether `old_state`, left out as `urn`, can stay with the provider that it has. `is_configured`: this run has that
// provider already. Otherwise it is recorded, and kept before it (KeptTogether). As Pulumi does, this refuses where the
// program gives another provider to what is left out alone, because there the program can as well be left as it was;
// where the run is about the same package it cannot.
Status MayBeKept(const StatePtr& old_state, const Urn& urn, bool is_configured, const Rows& rows,
                 const Selection& selection);

// Whether a provider is left out, although providers take part in every run: it is new, nobody named it, and what it
// belongs to is left out.
bool IsLeftOutWithOwner(const State& draft, const StatePtr& old_state, const Rows& rows, const Selection& selection);

// The provider of `state`, if it was left out; "" if not.
Urn LeftOutProvider(const State& state, const Rows& rows);

// Whether a provider that the program registers has been kept already, for the sake of what it serves, and is to be
// what it is.
bool IsKeptAsWanted(const State& draft, const StatePtr& old_state, const Rows& rows);

// `old_state`, and before it all that it refers to and that this run has not handled yet; what is referred to comes
// first. Fails if something that it refers to is not recorded.
Result<std::vector<StatePtr>> KeptTogether(const StatePtr& old_state, const Urn& urn, const Rows& rows);

// Recorded resources that a targeted one needs and that nobody has handled yet: `urn` and all below it. `seen` are
// those that were collected before.
void CollectUnhandled(const Urn& urn, const Rows& rows, std::unordered_set<Urn>* seen, std::vector<StatePtr>* states);

// The complaints about steps whose dependency is missing because it was left out (row 3.34): what is missing, and the
// text.
struct MissingDependency {
  Urn missing;
  std::string text;
};
std::optional<MissingDependency> MissingDependencyOf(const Step& step, const Rows& rows, const Selection& selection);

}  // namespace kingpost::decisions
