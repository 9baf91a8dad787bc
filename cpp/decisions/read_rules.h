// SPDX-License-Identifier: Apache-2.0
// Resources that a program reads without owning them (row 3.45). Pure.
#pragma once

#include <string>

#include "decisions/decision.h"
#include "decisions/run_mode.h"
#include "kingpost/provider_values.h"

namespace kingpost::decisions {

// The recorded state of a read: external, under the ID that the program names.
State DraftOfRead(const DeclaredFields& declared, const std::string& id, const Urn& urn);

// A read takes the place of what was read before. What the stack owned under the same ID it only looks at from then on;
// what it owned under another ID is replaced.
Decision ChooseRead(const StatePtr& old_state, const std::string& id);
// How such a decision is noted, and whether a destroy drops at the end what was read.
RowOutcome ReadOutcome(const Decision& read);
bool IsDroppedAtEnd(const Decision& read, RunMode mode);

// Whether the provider cannot be asked for it: its ID is not known, or a preview comes before what it depends on
// (row 1.25).
bool IsUnknownYet(const State& draft, bool is_preview, const Rows& rows);
// Whether a new one has a parent or provider that targets or excludes leave out. Then it is left out as well,
// because the record could not name its dependencies (row 3.34).
bool IsReadOfLeftOut(const State& draft, const StatePtr& old_state, const Rows& rows);
// The answer to a read that was skipped because of an earlier failure (row 5.11): the record, if there is one.
StatePtr LastKnown(const StatePtr& skipped, const StatePtr& recorded);

// The recorded outputs, without those that are secrets by additionalSecretOutputs alone: these are sealed whenever the
// resource is recorded, after its provider has compared what it found.
PropertyMap SecretsOfProvider(const State& recorded);
// The recorded secrets of a resource that the program reads once more. What the program names itself is as secret as it
// says now.
PropertyMap KnownSecrets(const State& recorded, const State& next);

// ---- whether a resource exists (row 1.36): its provider is asked to read one that is not registered

enum class Existence { kNo, kYes, kUnknown };

// A provider whose configuration is not known yet reads nothing, but not that there is nothing.
Existence ExistenceFrom(const ReadResponse& read);
// The made-up name of the resource in the N-th question.
std::string ExistsQueryName(int64_t number);
// Whether it is one of these: what is said of it is said of the stack.
bool IsExistsQuery(const Urn& urn);

}  // namespace kingpost::decisions
