// SPDX-License-Identifier: Apache-2.0
#include "operation/fleet/board.h"

#include <algorithm>
#include <thread>

namespace kingpost::fleet {

namespace {

std::vector<Schedule::Member> ScheduledOf(const std::vector<BoardMember>& members) {
  std::vector<Schedule::Member> scheduled;
  scheduled.reserve(members.size());
  for (const BoardMember& member : members) scheduled.push_back(member.scheduled);
  return scheduled;
}

using PlacesByName = std::map<std::pair<std::string, std::string>, size_t>;

PlacesByName PlacesOf(const std::vector<BoardMember>& members) {
  PlacesByName places;
  for (size_t i = 0; i < members.size(); ++i) {
    places.emplace(std::make_pair(members[i].store, members[i].stack.str()), i);
  }
  return places;
}

}  // namespace

void SetReferences(const std::vector<std::vector<StackName>>& reads, std::vector<BoardMember>* members) {
  const PlacesByName places = PlacesOf(*members);
  for (size_t reader = 0; reader < members->size(); ++reader) {
    BoardMember& member = (*members)[reader];
    member.scheduled.references.clear();
    for (const StackName& read : reads[reader]) {
      const auto found = places.find({member.store, read.str()});
      if (found != places.end() && found->second != reader) member.scheduled.references.push_back(found->second);
    }
  }
}

Board::Board(std::vector<BoardMember> members, int slots, Listener listener)
    : members_(std::move(members)),
      by_name_(PlacesOf(members_)),
      listener_(std::move(listener)),
      schedule_(ScheduledOf(members_), slots),
      reads_(members_.size()),
      failed_reads_(members_.size()),
      planned_(members_.size()),
      told_(members_.size(), Schedule::State::kPending),
      times_(members_.size()),
      waits_since_(members_.size()) {}

void Board::NoteChanges() {
  for (size_t member = 0; member < told_.size(); ++member) {
    const Schedule::State state = schedule_.state(member);
    if (told_[member] == state) continue;
    const auto now = Clock::now();
    Times& times = times_[member];
    if (told_[member] == Schedule::State::kPending && state == Schedule::State::kRunning) times.begun = now;
    if (state == Schedule::State::kWaiting) waits_since_[member] = now;
    if (told_[member] == Schedule::State::kWaiting) times.waited += now - waits_since_[member];
    if (state == Schedule::State::kDone || state == Schedule::State::kFailed || state == Schedule::State::kSkipped) {
      times.ended = now;
    }
    told_[member] = state;
    to_tell_.push_back(member);
  }
}

ReadAnswer Board::AnswerOf(size_t reader, size_t target) {
  const Status outcome = schedule_.OutcomeOf(target);
  if (outcome.ok()) return {outcome, planned_[target]};
  failed_reads_[reader] = FailedRead{target, outcome.code() == Code::kCancelled};
  return {outcome, nullptr};
}

void Board::Settle(std::unique_lock<std::mutex>& lock) {
  std::vector<std::function<void()>> calls;
  while (!begins_) {
    const std::optional<Schedule::Move> move = schedule_.Next();
    if (!move) break;
    if (!move->resumes) {
      begins_ = move->member;
      break;
    }
    for (PendingRead& read : reads_[move->member]) {
      calls.emplace_back(
          [answer = std::move(read.answer), given = AnswerOf(move->member, read.target)] { answer(given); });
    }
    reads_[move->member].clear();
  }
  NoteChanges();
  const std::vector<size_t> changed = std::exchange(to_tell_, {});
  changed_.notify_all();
  lock.unlock();
  if (listener_) {
    for (const size_t member : changed) listener_(member);
  }
  for (const auto& call : calls) call();
  lock.lock();
}

std::optional<size_t> Board::Next() {
  std::unique_lock<std::mutex> lock(mutex_);
  Settle(lock);
  changed_.wait(lock, [this] { return begins_ || schedule_.IsOver(); });
  return std::exchange(begins_, std::nullopt);
}

void Board::Ended(size_t member, MemberEnd end) {
  std::unique_lock<std::mutex> lock(mutex_);
  planned_[member] = std::move(end.planned);
  reads_[member].clear();  // nobody is left whom an answer could reach
  schedule_.Ended(member, end.state);
  Settle(lock);
}

void Board::Stop() {
  std::unique_lock<std::mutex> lock(mutex_);
  schedule_.Stop();
  // One that was chosen and not handed out does not begin, and gives its slot to one that waits.
  const std::optional<size_t> chosen = std::exchange(begins_, std::nullopt);
  if (chosen) schedule_.Ended(*chosen, Schedule::State::kSkipped);
  Settle(lock);
}

std::optional<size_t> Board::Find(size_t reader, const StackName& stack) const {
  const auto found = by_name_.find({members_[reader].store, stack.str()});
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

void Board::Read(size_t reader, size_t target, std::function<void(ReadAnswer)> answer) {
  std::unique_lock<std::mutex> lock(mutex_);
  std::vector<size_t>& seen = times_[reader].reads;
  if (std::find(seen.begin(), seen.end(), target) == seen.end()) seen.push_back(target);
  bool waits = false;
  const Status read = schedule_.Read(reader, target, &waits);
  if (!waits) {
    // The error of a circle stays. Any other error is the outcome of the target, which AnswerOf also remembers.
    const bool is_circle = read.code() == Code::kFailedPrecondition;
    const ReadAnswer given = is_circle ? ReadAnswer{read, nullptr} : AnswerOf(reader, target);
    lock.unlock();
    answer(given);
    return;
  }
  reads_[reader].push_back({target, std::move(answer)});
  Settle(lock);
}

Board::View Board::ViewOf(size_t member) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {schedule_.state(member), schedule_.WaitsFor(member), schedule_.because(member)};
}

std::optional<FailedRead> Board::FailedReadOf(size_t member) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failed_reads_[member];
}

std::string Board::WhyUnread(size_t target) const {
  const bool was_skipped = ViewOf(target).state == Schedule::State::kSkipped;
  return "'" + name(target) + "' " + (was_skipped ? "was skipped" : "failed");
}

Board::Times Board::TimesOf(size_t member) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return times_[member];
}

bool Board::stopped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return schedule_.stopped();
}

namespace {

// Threads that have said that they end are joined when the next one begins, so that a fleet of thousands holds no more
// of them than run.
class MemberThreads {
 public:
  ~MemberThreads() {
    for (auto& [member, thread] : threads_) thread.join();
  }

  void Begin(size_t member, std::function<void()> work) {
    JoinEnded();
    threads_.emplace(member, std::thread([this, member, work = std::move(work)] {
                       work();
                       const std::lock_guard<std::mutex> lock(mutex_);
                       ended_.push_back(member);
                     }));
  }

 private:
  void JoinEnded() {
    std::vector<size_t> ended;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended.swap(ended_);
    }
    for (const size_t member : ended) {
      threads_.at(member).join();
      threads_.erase(member);
    }
  }

  std::mutex mutex_;
  std::vector<size_t> ended_;
  std::map<size_t, std::thread> threads_;
};

}  // namespace

void RunMembers(Board& board, const std::function<MemberEnd(size_t member)>& run) {
  MemberThreads threads;
  while (const std::optional<size_t> member = board.Next()) {
    threads.Begin(*member, [&board, &run, member = *member] { board.Ended(member, run(member)); });
  }
}

}  // namespace kingpost::fleet
