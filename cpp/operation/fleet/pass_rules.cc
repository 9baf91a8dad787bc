// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/pass_rules.h"

#include <algorithm>

namespace kingpost::fleet {

namespace {

// A member has to run if its preview found a change, or if it reads a member that has to run.
std::vector<bool> LeftAlone(const std::vector<PreviewResult>& previewed) {
  std::vector<bool> alone;
  for (const PreviewResult& one : previewed) alone.push_back(one.end == Schedule::State::kDone && !one.changes);
  for (bool again = true; again;) {
    again = false;
    for (size_t member = 0; member < previewed.size(); ++member) {
      const std::vector<size_t>& reads = previewed[member].reads;
      const bool reads_changed =
          std::any_of(reads.begin(), reads.end(), [&alone](size_t read) { return !alone[read]; });
      if (!alone[member] || !reads_changed) continue;
      alone[member] = false;
      again = true;
    }
  }
  return alone;
}

}  // namespace

PassRules::PassRules(std::vector<PreviewResult> previewed)
    : previewed_(std::move(previewed)), left_alone_(LeftAlone(previewed_)) {}

bool PassRules::EndedInPreview(size_t member) const {
  return !previewed_.empty() && previewed_[member].end != Schedule::State::kDone;
}

MemberAction PassRules::ActionOf(size_t member, bool stopped) const {
  if (EndedInPreview(member)) return MemberAction::kAsPreviewed;
  if (!previewed_.empty() && left_alone_[member]) return MemberAction::kUnaffected;
  return stopped ? MemberAction::kStopped : MemberAction::kRun;
}

std::vector<Schedule::Member> PassRules::InOrder(std::vector<Schedule::Member> members, bool reversed) const {
  for (size_t member = 0; member < previewed_.size(); ++member) {
    std::vector<size_t>& references = members[member].references;
    for (const size_t read : previewed_[member].reads) {
      const bool known = std::find(references.begin(), references.end(), read) != references.end();
      if (read != member && !known) references.push_back(read);
    }
  }
  if (reversed) return Schedule::Reversed(members);
  return members;
}

}  // namespace kingpost::fleet
