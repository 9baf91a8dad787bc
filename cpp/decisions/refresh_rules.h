// SPDX-License-Identifier: Apache-2.0
// What a refresh, a read and an import make of what they found (rows 3.16, 5.14, 5.15, 6.4, 6.7). Pure.
#pragma once

#include <map>
#include <vector>

#include "decisions/choose.h"
#include "decisions/rows.h"
#include "decisions/selection.h"
#include "kingpost/provider_values.h"

namespace kingpost::decisions {

// The recorded resources that a refresh without the program reads, in order; or, after a program that ran in refresh
// mode, those that it did not register. `flagged_only`: only resources that asked for it.
std::vector<StatePtr> ToRefresh(const Rows& rows, const Selection& selection, bool flagged_only);
std::vector<StatePtr> NotRegistered(const Rows& rows, const Selection& selection);

// The base after a refresh: `found` says what became of the states that were read; null: gone, and with it every
// reference to it.
std::vector<StatePtr> BaseAfterRefresh(const std::vector<StatePtr>& base,
                                       const std::map<const State*, StatePtr>& found);

// A refresh with the program records what the program says of all that it reads. What decides whether a resource has to
// be replaced stays as it was, or an update could not tell any more. What is not read keeps all but its name.
State RefreshedAsRegistered(const State& old_state, const State& draft, RunMode mode, bool waits_for_replacement);

// Makes secret what the program or secret inputs make so.
void SealOutputs(State* state);

// Takes over what a provider read of a recorded resource. Providers mark what is secret by its kind; that a program
// called a value so, only the record knows. Returns the outputs as found, before they are sealed.
PropertyMap TakeFound(const ReadResponse& read, const State& recorded, State* next);

// What the record knows to be secret of something that the program reads once more. What the program names itself is as
// secret as it says now.
PropertyMap KnownSecrets(const State& recorded, const State& next);

// What was read wins; what was supplied fills gaps, and makes secret what it holds as a secret.
PropertyMap MergeSupplied(const PropertyMap& read, const PropertyMap& supplied);

// The old state that displays compare an imported resource with.
StatePtr FoundByImport(const State& imported);

}  // namespace kingpost::decisions
