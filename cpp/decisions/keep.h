// SPDX-License-Identifier: Apache-2.0
// Resources that stay as they are because targets or excludes leave them out, and those that have to stay with them
// (rows 3.33, 3.34). Pure.
#pragma once

#include <unordered_set>
#include <vector>

#include "decisions/decision.h"
#include "decisions/rows.h"
#include "decisions/selection.h"

namespace kingpost::decisions {

// The outcome of a registration that is left out, `because` of targets or excludes. A new resource is not made. One
// that this run has kept already for another is answered. All others are kept.
Decision ChooseLeftOut(const StatePtr& old_state, ReasonPtr because, const Rows& rows);

// Fails for a resource that has been kept for the sake of what depends on it, before it was registered.
Status CheckMayChange(const Urn& urn, const Rows& rows);
// The recorded dependencies of the sames of a chain: if this run changes one, the sames are written after it.
std::vector<Urn> DependenciesOfSames(const Chain& chain);

// Whether `old_state`, left out as `urn`, can stay with the provider that it has. `is_configured`: this run has that
// provider already. Otherwise it is recorded, and kept before it (StatesToKeep). As Pulumi does, this refuses another
// provider if only resources that are left out get it, because then the program can stay as it was. If the run is about
// the same package, it cannot.
Status CheckMayBeKept(const StatePtr& old_state, const Urn& urn, bool is_configured, const Rows& rows,
                      const Selection& selection);

// Whether a provider is left out, although providers take part in every run: it is new, nobody named it, and what it
// belongs to is left out.
bool IsLeftOutWithOwner(const State& draft, const StatePtr& old_state, const Rows& rows, const Selection& selection);

// The provider of `state`, if it was left out; "" if not.
Urn LeftOutProvider(const State& state, const Rows& rows);

// Whether a provider that the program registers has been kept already, for the sake of what it serves, and is to be
// what it is.
bool IsAlreadyKept(const State& draft, const StatePtr& old_state, const Rows& rows);

// `old_state`, and before it all that it refers to and that this run has not handled yet; what is referred to comes
// first. Fails if something that it refers to is not recorded.
Result<std::vector<StatePtr>> StatesToKeep(const StatePtr& old_state, const Urn& urn, const Rows& rows);

// Recorded resources that a targeted one needs and that this run has not handled yet: `urn` and all below it.
// `seen` are those that were collected before.
void CollectUnhandled(const Urn& urn, const Rows& rows, std::unordered_set<Urn>* seen, std::vector<StatePtr>* states);

// The complaints about steps whose dependency is missing because it was left out (row 3.34): what is missing, and the
// text.
struct MissingDependency {
  Urn missing;
  std::string text;
};
std::optional<MissingDependency> MissingDependencyOf(const Step& step, const Rows& rows, const Selection& selection);

}  // namespace kingpost::decisions
