// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/schedule.h"

#include <algorithm>
#include <utility>

namespace kingpost::fleet {

namespace {

// The limit of waiting programs for each slot, because each holds memory. Beyond it only members that others wait for
// begin.
constexpr int kWaitingPerSlot = 4;

bool Holds(const std::vector<size_t>& members, size_t member) {
  return std::find(members.begin(), members.end(), member) != members.end();
}

// Walks depth first along `edges`; the walk that comes back to where it is, is the circle.
class CircleSearch {
 public:
  explicit CircleSearch(const std::vector<Schedule::Member>& members) : members_(members), marks_(members.size()) {}

  std::vector<size_t> Find() {
    for (size_t start = 0; start < members_.size(); ++start) {
      if (marks_[start] == Mark::kNew && Walk(start)) return circle_;
    }
    return {};
  }

 private:
  enum class Mark { kNew, kOnPath, kSeen };

  bool Walk(size_t at) {
    marks_[at] = Mark::kOnPath;
    path_.push_back(at);
    for (const auto* needs : {&members_[at].references, &members_[at].after}) {
      for (const size_t next : *needs) {
        if (next == at || marks_[next] == Mark::kSeen) continue;
        if (marks_[next] == Mark::kOnPath) {
          circle_.assign(std::find(path_.begin(), path_.end(), next), path_.end());
          circle_.push_back(next);
          return true;
        }
        if (Walk(next)) return true;
      }
    }
    path_.pop_back();
    marks_[at] = Mark::kSeen;
    return false;
  }

  const std::vector<Schedule::Member>& members_;
  std::vector<Mark> marks_;
  std::vector<size_t> path_, circle_;
};

}  // namespace

Schedule::Schedule(std::vector<Member> members, int slots)
    : members_(std::move(members)), dependents_(members_.size()), slots_(std::max(1, slots)), rows_(members_.size()) {
  for (size_t member = 0; member < members_.size(); ++member) {
    for (const size_t needed : members_[member].references) dependents_[needed].push_back(member);
    for (const size_t needed : members_[member].after) dependents_[needed].push_back(member);
  }
}

std::vector<size_t> Schedule::FindCycle() const { return CircleSearch(members_).Find(); }

bool Schedule::IsEnd(State state) {
  return state == State::kDone || state == State::kFailed || state == State::kSkipped;
}

bool Schedule::Unfinished(const std::vector<size_t>& members) const {
  return std::any_of(members.begin(), members.end(), [this](size_t member) { return !IsEnd(rows_[member].state); });
}

int Schedule::Count(State state) const {
  return static_cast<int>(
      std::count_if(rows_.begin(), rows_.end(), [state](const Row& row) { return row.state == state; }));
}

bool Schedule::IsOver() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return IsEnd(row.state); });
}

std::optional<Schedule::Move> Schedule::Next() {
  if (Count(State::kRunning) >= slots_) return std::nullopt;
  if (!ready_.empty()) {
    const size_t member = ready_.front();
    ready_.erase(ready_.begin());
    rows_[member].ready = false;
    rows_[member].state = State::kRunning;
    return Move{member, true};
  }
  std::optional<size_t> next = FirstWanted();
  const bool room = Count(State::kWaiting) < kWaitingPerSlot * slots_;
  if (!next && room) next = FirstInOrder(true);
  // The recorded references may be out of date and leave no member that can begin. Then the next one begins all the
  // same.
  if (!next && Count(State::kRunning) == 0 && Count(State::kWaiting) == 0) next = FirstInOrder(false);
  if (!next) return std::nullopt;
  rows_[*next].state = State::kRunning;
  return Move{*next, false};
}

// The first pending member that a waiting one needs, directly or through others.
std::optional<size_t> Schedule::FirstWanted() const {
  std::vector<size_t> open;
  std::vector<bool> seen(rows_.size());
  for (const Row& row : rows_) {
    if (row.state == State::kWaiting) open.insert(open.end(), row.reads.begin(), row.reads.end());
  }
  std::optional<size_t> first;
  while (!open.empty()) {
    const size_t member = open.back();
    open.pop_back();
    if (seen[member] || rows_[member].state != State::kPending) continue;
    seen[member] = true;
    const std::vector<size_t>& after = members_[member].after;
    if (!Unfinished(after)) {
      first = std::min(first.value_or(member), member);
    } else {
      open.insert(open.end(), after.begin(), after.end());
    }
  }
  return first;
}

std::optional<size_t> Schedule::FirstInOrder(bool mind_references) const {
  for (size_t member = 0; member < rows_.size(); ++member) {
    if (rows_[member].state != State::kPending || Unfinished(members_[member].after)) continue;
    if (!mind_references || !Unfinished(members_[member].references)) return member;
  }
  return std::nullopt;
}

// Along those who wait, and those who have not begun because others come first; empty if there is no way.
std::vector<size_t> Schedule::PathTo(size_t from, size_t to) const {
  std::vector<std::optional<size_t>> came_from(rows_.size());
  std::vector<size_t> open{from};
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    if (at == to) {
      std::vector<size_t> path{at};
      for (size_t back = at; back != from; path.push_back(back)) back = *came_from[back];
      std::reverse(path.begin(), path.end());
      return path;
    }
    const Row& row = rows_[at];
    if (row.state != State::kWaiting && row.state != State::kPending) continue;
    for (const size_t next : row.state == State::kWaiting ? row.reads : members_[at].after) {
      if (next == from || came_from[next]) continue;
      came_from[next] = at;
      open.push_back(next);
    }
  }
  return {};
}

Status Schedule::OutcomeOf(size_t target) const {
  const Row& row = rows_[target];
  const std::string stack = "the stack '" + members_[target].name + "'";
  switch (row.state) {
    case State::kDone:
      return Status::Ok();
    case State::kFailed:
      return Status(Code::kUnavailable, stack + " failed, so its outputs are unknown");
    case State::kSkipped:
      return Status(Code::kUnavailable,
                    stack + " was skipped" +
                        (row.because ? " because '" + members_[*row.because].name + "' failed" : "") +
                        ", so its outputs are unknown");
    default:
      return Status(Code::kCancelled, "the fleet was stopped before " + stack + " was done");
  }
}

Status Schedule::Read(size_t reader, size_t target, bool* waits) {
  *waits = false;
  Row& row = rows_[reader];
  KP_ASSERT(row.state == State::kRunning || row.state == State::kWaiting, "a member reads while it runs");
  if (IsEnd(rows_[target].state) || stopped_) return OutcomeOf(target);
  std::vector<size_t> circle = PathTo(target, reader);
  if (!circle.empty()) {
    circle.insert(circle.begin(), reader);
    return Status(Code::kFailedPrecondition, "stacks read each other in a cycle: " + NamesOf(circle) +
                                                 "; change one program so that it does not read the other stack");
  }
  if (!Holds(row.reads, target)) row.reads.push_back(target);
  if (std::exchange(row.ready, false)) std::erase(ready_, reader);
  row.state = State::kWaiting;
  *waits = true;
  return Status::Ok();
}

void Schedule::Ended(size_t member, State end) {
  KP_ASSERT(IsEnd(end), "a member ends as done, failed or skipped");
  Row& ended = rows_[member];
  ended.state = end;
  ended.reads.clear();
  if (std::exchange(ended.ready, false)) std::erase(ready_, member);
  if (end != State::kDone) SkipDependents(member, ended.because.value_or(member));
  for (size_t reader = 0; reader < rows_.size(); ++reader) {
    Row& row = rows_[reader];
    if (row.state != State::kWaiting || row.ready) continue;
    std::erase_if(row.reads, [this](size_t read) { return IsEnd(rows_[read].state); });
    if (!row.reads.empty()) continue;
    row.ready = true;
    ready_.push_back(reader);
  }
}

void Schedule::SkipDependents(size_t failed, size_t cause) {
  for (const size_t dependent : dependents_[failed]) {
    Row& row = rows_[dependent];
    if (row.state != State::kPending) continue;
    row.state = State::kSkipped;
    row.because = cause;
    SkipDependents(dependent, cause);
  }
}

void Schedule::Stop() {
  if (std::exchange(stopped_, true)) return;
  for (size_t member = 0; member < rows_.size(); ++member) {
    Row& row = rows_[member];
    if (row.state == State::kPending) row.state = State::kSkipped;
    if (row.state != State::kWaiting || row.ready) continue;
    row.reads.clear();
    row.ready = true;
    ready_.push_back(member);
  }
}

std::vector<size_t> Schedule::WaitsFor(size_t member) const {
  const Row& row = rows_[member];
  if (row.state == State::kWaiting) return row.reads;
  std::vector<size_t> others;
  if (row.state != State::kPending) return others;
  for (const auto* needs : {&members_[member].references, &members_[member].after}) {
    for (const size_t needed : *needs) {
      if (!IsEnd(rows_[needed].state) && !Holds(others, needed)) others.push_back(needed);
    }
  }
  return others;
}

std::vector<Schedule::Member> Schedule::Reversed(const std::vector<Member>& members) {
  std::vector<Member> reversed(members.size());
  for (size_t member = 0; member < members.size(); ++member) {
    reversed[member].name = members[member].name;
    for (const size_t read : members[member].references) reversed[read].references.push_back(member);
    for (const size_t first : members[member].after) reversed[first].after.push_back(member);
  }
  return reversed;
}

std::string Schedule::NamesOf(const std::vector<size_t>& members) const {
  std::string names;
  for (const size_t member : members) names += (names.empty() ? "" : " → ") + members_[member].name;
  return names;
}

}  // namespace kingpost::fleet
