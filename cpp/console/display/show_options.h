// SPDX-License-Identifier: Apache-2.0
// Which parts of an operation are shown, as the flags of the command say.
#pragma once

#include "kingpost/event.h"

namespace kingpost {

struct ShowOptions {
  bool sames = false;                // --show-sames
  bool reads = false;                // --show-reads
  bool replacement_steps = false;    // --show-replacement-steps
  bool urns = false;                 // --urns
  bool full_output = false;          // --show-full-output
  bool config = false;               // --show-config
  bool policy_remediations = false;  // --show-policy-remediations
  bool policy_exceptions = false;    // --show-policy-exceptions
  bool explain = false;              // --explain: why each step is taken
  bool suppress_outputs = false;
  bool suppress_progress = false;
  bool debug = false;  // diagnostics of severity debug too
};

inline bool IsReplacementStep(StepOp op) {
  return op == StepOp::kReplace || op == StepOp::kCreateReplacement || op == StepOp::kDeleteReplaced ||
         op == StepOp::kReadReplacement || op == StepOp::kDiscardReplaced || op == StepOp::kImportReplacement ||
         op == StepOp::kRemovePendingReplace;
}

inline bool IsRootStack(const StepMetadata& step) { return step.type == kRootStackType; }

// Whether a step is listed on its own, in diffs and digests.
inline bool ShouldList(const StepMetadata& step, const ShowOptions& show) {
  if (step.op == StepOp::kSame) {
    const bool protection_changed =
        step.old_state && step.new_state && step.old_state->protect != step.new_state->protect;
    return show.sames || protection_changed;
  }
  if (!show.replacement_steps && !step.logical && IsReplacementStep(step.op)) return false;
  const bool is_read = step.op == StepOp::kRead || step.op == StepOp::kReadReplacement || step.op == StepOp::kDiscard ||
                       step.op == StepOp::kDiscardReplaced;
  return show.reads || !is_read;
}

}  // namespace kingpost
