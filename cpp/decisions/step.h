// SPDX-License-Identifier: Apache-2.0
// Steps: what the engine decided to do with one resource, before it is done (rows 5.1, 5.2, 5.16, 6.11).
//
// A Step is data. The executor runs it; only the executor changes it, on the engine thread. The draft in
// `new_state` belongs to the step until the step has ended; from then on it is published and never changed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "decisions/reason.h"
#include "kingpost/event.h"
#include "model/resource.h"

namespace kingpost::decisions {

using Draft = std::shared_ptr<State>;

// The outcome of the old state when the step succeeds.
enum class AfterStep {
  kSuperseded,          // the new state stands for it; without one, it is no longer recorded
  kWaitsForDelete,      // another resource has replaced it
  kPendingReplacement,  // it is deleted, and waits to be created again
};
enum class SameKind {
  kPlain,
  kLeftOut,        // without a registration: kept because it is not targeted
  kSkippedCreate,  // told as same, not recorded
};
enum class RefreshKind {
  kStandalone,  // before or without the program
  kInProgram,   // as it is registered
  kAnnounced,   // of a component or a provider: there is nothing to read, and users do not see it
};

struct Step {
  StepOp op = StepOp::kSame;
  StatePtr old_state;              // null for a first create
  Draft new_state;                 // null for deletes and for refreshes that found nothing
  std::vector<std::string> keys;   // that force a replacement
  std::vector<std::string> diffs;  // changed top-level keys
  std::optional<DetailedDiff> detailed;
  std::vector<std::string> ignore_changes;
  ReasonPtr because;  // why it is taken; null in steps that providers show

  bool replacing = false;  // the physical half of a replacement: not counted
  AfterStep old_side = AfterStep::kSuperseded;
  SameKind same = SameKind::kPlain;
  RefreshKind refresh = RefreshKind::kStandalone;
  bool planned_import = false;            // of the import operation, not of the import option
  StepOp refresh_result = StepOp::kSame;  // of a refresh, once it ran
  // For a refresh with the program: the program's checked inputs, which the provider compares with the state that it
  // finds. Absent: with those that are recorded.
  std::optional<PropertyMap> wanted_inputs;
  bool unknown_yet = false;  // of a read: there is nothing to ask the provider for (IsUnknownYet)

  bool is_skipped_create() const { return same == SameKind::kSkippedCreate; }
  bool is_announced_refresh() const { return refresh == RefreshKind::kAnnounced; }
  const Urn& urn() const { return new_state ? new_state->urn : old_state->urn; }
  const std::string& type() const { return new_state ? new_state->type : old_state->type; }
  const std::string& provider() const { return new_state ? new_state->provider : old_state->provider; }
  // The state that stands for the resource: new if there is one.
  const State& resource() const { return new_state ? *new_state : *old_state; }
  bool logical() const;   // what users see and count
  bool internal() const;  // hidden from users (row 10.6)
  bool deletes() const { return !new_state && op != StepOp::kRefresh; }
};
using StepPtr = std::shared_ptr<Step>;
using Chain = std::vector<StepPtr>;

// Whether a chain takes one of the --parallel places: what only carries states over may go beside any number of others
// (row 5.2).
bool NeedsSlot(const Chain& chain);
int SlotCount(int parallel);  // at least one
// Steps that leave everything as it is do not count for --expect-no-changes (row 6.11).
bool IsChange(StepOp op);

StepPtr Same(StatePtr old_state, Draft new_state);
// A same without a registration: the old state, kept because it is not targeted.
StepPtr UntargetedSame(StatePtr old_state);
StepPtr SkippedCreate(Draft new_state);
// The state of a same step: the program's side goes into the record, ID and outputs are as they were.
void CarryOver(Step* same);
// Whether it is of a provider, which has to be configured for what it serves.
bool ConfiguresProvider(const Step& same);
StepPtr Create(Draft new_state);
StepPtr CreateReplacement(StatePtr old_state, Draft new_state, AfterStep old_side);
StepPtr Replace(StatePtr old_state, Draft new_state);
StepPtr Update(StatePtr old_state, Draft new_state);
StepPtr Delete(StatePtr old_state);
StepPtr DeleteReplaced(StatePtr old_state, AfterStep old_side);
StepPtr RemovePendingReplace(StatePtr old_state);
StepPtr Read(StatePtr old_state, Draft new_state);
StepPtr ReadReplacement(StatePtr old_state, Draft new_state, AfterStep old_side);
StepPtr Refresh(StatePtr old_state);
StepPtr Import(Draft new_state);
StepPtr ImportReplacement(StatePtr original, Draft new_state, AfterStep old_side);

}  // namespace kingpost::decisions
