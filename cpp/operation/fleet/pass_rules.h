// SPDX-License-Identifier: Apache-2.0
// The rules by which the preview of a fleet decides about the operation after it: which members run, and in which order
// they begin. Pure.
#pragma once

#include <vector>

#include "operation/fleet/schedule.h"

namespace kingpost::fleet {

// The result of a member's preview.
struct PreviewResult {
  Schedule::State end = Schedule::State::kDone;  // or kFailed, or kSkipped
  bool changes = true;                           // a step would do something, or record something else
  std::vector<size_t> reads;                     // the members that it read
};

// The action of a member when its turn comes.
enum class MemberAction {
  kRun,
  kUnaffected,   // does not run: nothing changes in it, or in a stack that it reads
  kAsPreviewed,  // does not run: it ends as in the preview, failed or skipped
  kStopped,      // does not run: the fleet was stopped
};

class PassRules {
 public:
  // `previewed` has a result for each member, or none if there was no preview.
  explicit PassRules(std::vector<PreviewResult> previewed = {});

  MemberAction ActionOf(size_t member, bool stopped) const;
  // True if the member failed or was skipped in the preview.
  bool EndedInPreview(size_t member) const;

  // Returns the members for the board: what they read in the preview is added to their recorded references. A destroy
  // takes them `reversed`.
  std::vector<Schedule::Member> InOrder(std::vector<Schedule::Member> members, bool reversed) const;

 private:
  const std::vector<PreviewResult> previewed_;
  std::vector<bool> left_alone_;
};

}  // namespace kingpost::fleet
