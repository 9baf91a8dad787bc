// SPDX-License-Identifier: Apache-2.0
// Which stacks of a fleet run, and which wait. A table and its rules: it knows no clocks and no threads.
//
//     pending ─▶ running ◀─▶ waiting       a member that reads another waits until that is over, and holds no slot
//        │          └─▶ done | failed
//        └─▶ skipped                       what it needs has failed, or the fleet was stopped
//
// The schedule learns what a program reads when it reads it. The references that its last run recorded order the
// starts, so that few programs have to wait. A member that another one waits for begins whatever those references say.
// `after` always holds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace kingpost::fleet {

class Schedule {
 public:
  struct Member {
    std::string name;                // for messages
    std::vector<size_t> references;  // those whose outputs its last run read
    std::vector<size_t> after;
  };
  enum class State { kPending, kRunning, kWaiting, kDone, kFailed, kSkipped };

  Schedule(std::vector<Member> members, int slots);

  // The members that references and `after` close to a circle, the first one again at the end; empty if none do.
  std::vector<size_t> FindCycle() const;

  // A member that begins, or goes on after it has waited. None if nothing may until something ends.
  struct Move {
    size_t member = 0;
    bool resumes = false;
  };
  std::optional<Move> Next();

  // A running member reads another. Ok: at once, or, if *waits, when it is resumed. Fails if the other cannot be read
  // any more, or if both would wait for each other.
  Status Read(size_t reader, size_t target, bool* waits);
  // The outcome of a read, when its reader has been resumed: ok, or why there is nothing to read.
  Status OutcomeOf(size_t target) const;

  // A running member has ended: done, failed or skipped.
  void Ended(size_t member, State end);
  // None begins any more; those that wait go on, and are told.
  void Stop();

  size_t size() const { return members_.size(); }
  const std::string& name(size_t member) const { return members_[member].name; }
  State state(size_t member) const { return rows_[member].state; }
  bool stopped() const { return stopped_; }
  bool IsOver() const;
  // The members that a member waits for: those it reads, or, before it begins, those that have to come first.
  std::vector<size_t> WaitsFor(size_t member) const;
  // The failed member because of which this one was skipped; none if the fleet was stopped.
  std::optional<size_t> because(size_t member) const { return rows_[member].because; }

  // The same members for a destroy: a reader goes before the stack that it reads.
  static std::vector<Member> Reversed(const std::vector<Member>& members);
  // "a → b → a"
  std::string NamesOf(const std::vector<size_t>& members) const;

 private:
  struct Row {
    State state = State::kPending;
    std::vector<size_t> reads;  // not over yet
    bool ready = false;         // waits for a slot only
    std::optional<size_t> because;
  };

  static bool IsEnd(State state);
  bool Unfinished(const std::vector<size_t>& members) const;
  std::optional<size_t> FirstWanted() const;
  std::optional<size_t> FirstInOrder(bool mind_references) const;
  std::vector<size_t> PathTo(size_t from, size_t to) const;
  void SkipDependents(size_t failed, size_t cause);
  int Count(State state) const;

  const std::vector<Member> members_;
  std::vector<std::vector<size_t>> dependents_;  // by what the record and `after` say
  const int slots_;
  std::vector<Row> rows_;
  std::vector<size_t> ready_;  // in the order in which they came to be
  bool stopped_ = false;
};

}  // namespace kingpost::fleet
