// SPDX-License-Identifier: Apache-2.0
#include "bindings/fleet.h"

namespace kingpost::python {

using fleet::BoardMember;
using fleet::Schedule;

Result<std::shared_ptr<FleetBoard>> FleetBoard::Open(const std::vector<FleetMemberGiven>& members, int slots,
                                                     bool reversed, const FleetBoard* preview) {
  std::vector<BoardMember> on_board;
  on_board.reserve(members.size());
  for (const FleetMemberGiven& member : members) {
    on_board.push_back({{member.name, {}, member.after}, member.store, member.session->name()});
  }
  std::vector<std::vector<StackName>> reads;
  for (const FleetMemberGiven& member : members) {
    Result<std::vector<StackName>> references = member.session->References();
    if (!references.ok()) return references.status().Wrap(member.name);
    reads.push_back(std::move(*references));
  }
  fleet::SetReferences(reads, &on_board);
  fleet::PassRules rules(preview != nullptr ? preview->PreviewResult() : std::vector<fleet::PreviewResult>());
  std::vector<Schedule::Member> scheduled;
  for (const BoardMember& member : on_board) scheduled.push_back(member.scheduled);
  scheduled = rules.InOrder(std::move(scheduled), false);
  const Schedule schedule(scheduled, 1);
  const std::vector<size_t> circle = schedule.FindCycle();
  if (!circle.empty()) {
    return Status(
        Code::kFailedPrecondition,
        "stacks wait for each other in a cycle, as `after` and their last runs say: " + schedule.NamesOf(circle) +
            "; nothing was changed. Change one program so that it does not read the other stack, and run up of its "
            "stack alone once");
  }
  if (reversed) scheduled = Schedule::Reversed(scheduled);
  for (size_t i = 0; i < members.size(); ++i) on_board[i].scheduled = std::move(scheduled[i]);
  return std::shared_ptr<FleetBoard>(new FleetBoard(std::move(on_board), slots, reversed, std::move(rules)));
}

void FleetBoard::Keep(size_t member, std::shared_ptr<const Snapshot> planned, bool changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  planned_[member] = std::move(planned);
  changes_[member] = changes;
}

std::vector<fleet::PreviewResult> FleetBoard::PreviewResult() const {
  std::vector<fleet::PreviewResult> previewed;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t member = 0; member < changes_.size(); ++member) {
    previewed.push_back({board_.ViewOf(member).state, changes_[member], board_.TimesOf(member).reads});
  }
  return previewed;
}

void FleetBoard::Ended(size_t member, Schedule::State state) {
  fleet::MemberEnd end;
  end.state = state;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    end.planned = std::move(planned_[member]);
  }
  board_.Ended(member, std::move(end));
}

}  // namespace kingpost::python
