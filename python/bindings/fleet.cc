// SPDX-License-Identifier: Apache-2.0
#include "bindings/fleet.h"

#include <algorithm>

namespace kingpost::python {

using fleet::BoardMember;
using fleet::Schedule;

namespace {

// Those of the references that are members, by their places.
std::vector<size_t> PlacesOf(const std::vector<StackName>& references, const std::vector<BoardMember>& members,
                             size_t reader) {
  std::vector<size_t> places;
  for (const StackName& reference : references) {
    for (size_t place = 0; place < members.size(); ++place) {
      const bool same = members[place].store == members[reader].store && members[place].stack.str() == reference.str();
      if (same && place != reader) places.push_back(place);
    }
  }
  return places;
}

void AddAll(const std::vector<size_t>& read, size_t reader, std::vector<size_t>* references) {
  for (const size_t one : read) {
    if (one != reader && std::find(references->begin(), references->end(), one) == references->end()) {
      references->push_back(one);
    }
  }
}

}  // namespace

Result<std::shared_ptr<FleetBoard>> FleetBoard::Open(const std::vector<FleetMemberGiven>& members, int slots,
                                                     bool reversed, const FleetBoard* preview) {
  std::vector<BoardMember> on_board;
  on_board.reserve(members.size());
  for (const FleetMemberGiven& member : members) {
    on_board.push_back({{member.name, {}, member.after}, member.store, member.session->name()});
  }
  std::vector<Schedule::Member> scheduled;
  for (size_t i = 0; i < members.size(); ++i) {
    Result<std::vector<StackName>> references = members[i].session->References();
    if (!references.ok()) return references.status().Wrap(members[i].name);
    on_board[i].scheduled.references = PlacesOf(*references, on_board, i);
    if (preview != nullptr) AddAll(preview->board_.TimesOf(i).reads, i, &on_board[i].scheduled.references);
    scheduled.push_back(on_board[i].scheduled);
  }
  const Schedule schedule(scheduled, 1);
  const std::vector<size_t> circle = schedule.Circle();
  if (!circle.empty()) {
    return Status(
        Code::kFailedPrecondition,
        "stacks wait for each other in a circle, as `after` and their last runs say: " + schedule.NamesOf(circle) +
            "; nothing was changed. Let one of them do without the other; if its program does so by now, run "
            "up of that stack alone once");
  }
  if (reversed) {
    scheduled = Schedule::Reversed(scheduled);
    for (size_t i = 0; i < members.size(); ++i) on_board[i].scheduled = scheduled[i];
  }
  return std::shared_ptr<FleetBoard>(new FleetBoard(std::move(on_board), slots, reversed));
}

void FleetBoard::Keep(size_t member, std::shared_ptr<const Snapshot> planned, bool changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  planned_[member] = std::move(planned);
  changes_[member] = changes;
}

bool FleetBoard::changes(size_t member) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return changes_.at(member);
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
