// SPDX-License-Identifier: Apache-2.0
// The board of a fleet: which members run, which wait for which, and the states that finished ones offer to readers.
// Owns the schedule. Any thread, one lock.
//
//     member's loop   Read ─▶ waits ─────────────────▶ answer, on the thread of whoever ended
//     coordinator     Next ─▶ a member to begin ─▶ ... ─▶ Ended(member)
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kingpost/state_store.h"
#include "model/snapshot.h"
#include "operation/fleet/schedule.h"

namespace kingpost::fleet {

struct BoardMember {
  Schedule::Member scheduled;
  std::string store;  // its URL: stacks of the same name in two stores are two
  StackName stack;
};

// How a member ended.
struct MemberEnd {
  Schedule::State state = Schedule::State::kDone;  // or kFailed, or kSkipped
  // The planned state, after a preview; null if the store has the state. Its values are in clear.
  std::shared_ptr<const Snapshot> planned;
};

// The answer to a read of another member.
struct ReadAnswer {
  Status status;
  std::shared_ptr<const Snapshot> planned;  // null: look into the store
};

// A read without an answer: the other member failed or was skipped, or the fleet was stopped.
struct FailedRead {
  size_t target = 0;
  bool stopped = false;
};

// Sets the references of the members from the stacks that their last runs read (`reads`, by member). Stacks that are no
// members of the same store do not count.
void SetReferences(const std::vector<std::vector<StackName>>& reads, std::vector<BoardMember>* members);

class Board {
 public:
  using Clock = std::chrono::steady_clock;
  // When a member was under way, for timings. A member that never began has none of them.
  struct Times {
    Clock::time_point begun{}, ended{};
    Clock::duration waited{};
    std::vector<size_t> reads;  // the members that it has read, in their order
  };
  // Told of each member whose state has changed, without the lock: it looks for itself at how things are by then.
  using Listener = std::function<void(size_t member)>;

  Board(std::vector<BoardMember> members, int slots, Listener listener = nullptr);

  // Waits for a member that may begin; none when all are over.
  std::optional<size_t> Next();
  void Ended(size_t member, MemberEnd end);
  // No other member begins; reads that wait fail with kCancelled.
  void Stop();

  // The member that a read of this stack is of.
  std::optional<size_t> Find(size_t reader, const StackName& stack) const;
  // `answer` is called once, at once or later, on any thread, without the lock.
  void Read(size_t reader, size_t target, std::function<void(ReadAnswer)> answer);

  struct View {
    Schedule::State state = Schedule::State::kPending;
    std::vector<size_t> waits_for;
    std::optional<size_t> because;
  };
  View ViewOf(size_t member) const;
  // The last failed read of the member; none if each was answered.
  std::optional<FailedRead> FailedReadOf(size_t member) const;
  // "'web/prod' failed", or that it was skipped: why nobody can read a member that has ended so.
  std::string WhyUnread(size_t target) const;
  Times TimesOf(size_t member) const;
  bool stopped() const;
  size_t size() const { return members_.size(); }
  const std::string& name(size_t member) const { return members_[member].scheduled.name; }

 private:
  struct PendingRead {
    size_t target = 0;
    std::function<void(ReadAnswer)> answer;
  };

  void NoteChanges();
  ReadAnswer AnswerOf(size_t reader, size_t target);
  // Resumes those that may go on. Releases the lock to answer and to tell, and takes it again.
  void Settle(std::unique_lock<std::mutex>& lock);

  const std::vector<BoardMember> members_;
  std::map<std::pair<std::string, std::string>, size_t> by_name_;  // store and full name
  const Listener listener_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Schedule schedule_;
  std::optional<size_t> begins_;  // chosen, and not yet handed out
  std::vector<std::vector<PendingRead>> reads_;
  std::vector<std::optional<FailedRead>> failed_reads_;
  std::vector<std::shared_ptr<const Snapshot>> planned_;
  std::vector<Schedule::State> told_;
  std::vector<size_t> to_tell_;
  std::vector<Times> times_;
  std::vector<Clock::time_point> waits_since_;
};

// Runs each member on a thread of its own, when its turn comes, until all are over.
void RunMembers(Board& board, const std::function<MemberEnd(size_t member)>& run);

}  // namespace kingpost::fleet
