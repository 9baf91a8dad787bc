// SPDX-License-Identifier: Apache-2.0
// What a program reads without owning it (row 3.45). Pure.
#pragma once

#include <string>

#include "decisions/decision.h"
#include "decisions/run_mode.h"

namespace kingpost::decisions {

// What is recorded of a read: external, under the ID that the program names.
State DraftOfRead(const Declared& declared, const std::string& id, const Urn& urn);

// A read takes the place of what was read before. What the stack owned under the same ID it only looks at from then on;
// what it owned under another ID is replaced.
Decision ChooseRead(const StatePtr& old_state, const std::string& id);
// How such a decision is noted, and whether a destroy drops at the end what was read.
Fate FateOf(const Decision& read);
bool IsDroppedAtEnd(const Decision& read, RunMode mode);

// The recorded outputs, without those that are secrets by additionalSecretOutputs alone: these are sealed whenever the
// resource is recorded, after its provider has compared what it found.
PropertyMap SecretsOfProvider(const State& recorded);
// What the record knows to be secret of something that the program reads once more. What the program names itself is as
// secret as it says now.
PropertyMap KnownSecrets(const State& recorded, const State& next);

}  // namespace kingpost::decisions
