// SPDX-License-Identifier: Apache-2.0
// Refresh and destroy with the program: how its registrations are meant, and when what is recorded is read (rows 3.5 to
// 3.7, 6.7, 6.9). Pure.
//
//                        recorded                          not recorded
//   refresh (custom)     answered as it was read           not made
//   destroy (custom)     kept until all is registered      not made
//   both (component,     goes on as in an update; a destroy deletes it at the end
//   provider)
#pragma once

#include <optional>
#include <vector>

#include "decisions/decision.h"
#include "decisions/rows.h"
#include "decisions/selection.h"
#include "kingpost/engine.h"

namespace kingpost::decisions {

enum class RunMode { kUpdate, kDestroy, kRefresh };
RunMode ModeOf(const OperationOptions& options);

// ---- when what is recorded is read

enum class RefreshTime { kNever, kBeforeProgram, kAsRegistered };
RefreshTime RefreshTimeOf(const OperationOptions& options);

// The first step of a registration because of it.
enum class InlineRefresh {
  kNone,
  kAnnounced,  // there is nothing to read of a component or a provider: only that its turn came is told
  kRead,
};
// Also of what an earlier run has begun to delete. Fails for what is recorded by this run already, because something
// else needed it.
Result<InlineRefresh> RefreshOf(const Goal& goal, const Urn& urn, const StatePtr& old_state, RefreshTime time,
                                const Rows& rows, const Selection& selection);

// The state to record then, before the provider's answer: the program's side of a resource that is read. What decides
// whether a resource has to be replaced stays as it was, or an update could not tell any more. What is not read keeps
// all but its name.
State RefreshedAsRegistered(const State& old_state, const State& draft, RunMode mode, bool waits_for_replacement);
// The draft goes on from what was found.
void CarryRefreshedFields(const State& found, State* draft);

// Recorded resources that the program of a refresh did not register: they are read after it.
std::vector<StatePtr> NotRegistered(const Rows& rows, const Selection& selection);

// ---- what a registration means

// The immediate answer of a destroy or a refresh to a registration; nullopt if it goes on as in an update.
std::optional<Decision> ChooseByMode(RunMode mode, const Goal& goal, const StatePtr& old_state, const State& draft,
                                     const Rows& rows);
// The draft of such an answer: what is left out has the outputs that are recorded, what stays its inputs, too.
void ShapeByMode(const Decision& decision, const StatePtr& old_state, const Rows& rows, State* draft);
// Whether a program's resource is deleted at the end, because a destroy has registered it.
bool IsDeletedAtEnd(RunMode mode, const std::optional<Decision>& by_mode);
// Whether the answer settles what becomes of the resource. What a destroy cannot know may still go.
bool IsFinalDecision(RunMode mode, const Decision& decision);

}  // namespace kingpost::decisions
