// SPDX-License-Identifier: Apache-2.0
// What a preview of the same members means for an operation on them: who need not run, who is not to run, and in what
// order the others begin. Pure.
#pragma once

#include <vector>

#include "operation/fleet/schedule.h"

namespace kingpost::fleet {

// A member at the end of its preview.
struct Previewed {
  Schedule::State end = Schedule::State::kDone;  // or kFailed, or kSkipped
  bool changes = true;                           // something would be done, or recorded otherwise than it is
  std::vector<size_t> reads;                     // the members that it has read
};

// What a member does when its turn has come.
enum class Turn {
  kRun,
  kLeftAlone,    // nothing: it stays as it is
  kAsPreviewed,  // nothing: it ends as it did in the preview, failed or skipped
  kStopped,      // nothing: the fleet was stopped
};

class PassRules {
 public:
  // Empty if there was no preview.
  explicit PassRules(std::vector<Previewed> previewed = {});

  Turn TurnOf(size_t member, bool stopped) const;
  // It failed or was skipped in the preview. That says more of it than whom it would have come after.
  bool EndedInPreview(size_t member) const;

  // The members as the board has them: with what they have read in the preview besides what is recorded, and for a
  // destroy the other way round.
  std::vector<Schedule::Member> InOrder(std::vector<Schedule::Member> members, bool reversed) const;

 private:
  const std::vector<Previewed> previewed_;
  std::vector<bool> left_alone_;
};

}  // namespace kingpost::fleet
