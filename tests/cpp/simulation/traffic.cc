// SPDX-License-Identifier: Apache-2.0
#include "simulation/traffic.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "simulation/boot_clock.h"

namespace kingpost::simulation {

namespace {

constexpr size_t kMachinesMax = 16;
constexpr size_t kUnderWayMax = 8;  // late requests at a time
constexpr double kStillHeldSeconds = 60 * 0.75;

Status Unreachable(const std::string& what) {
  return {Code::kUnavailable, "sim://bucket/" + what + ": connection reset by peer"};
}

}  // namespace

class TrafficBucket : public BlobBucket, private BlobTransactions {
 public:
  TrafficBucket(Traffic* traffic, size_t machine, std::shared_ptr<BlobBucket> place)
      : traffic_(traffic), machine_(machine), place_(std::move(place)) {}

  std::string printable_url() const override { return place_->printable_url(); }
  Result<std::optional<Blob>> Get(const std::string& key) override {
    return Ask<Result<std::optional<Blob>>>(
        "get " + key, [place = place_, key] { return place->Get(key); }, /*changes=*/false);
  }
  Result<std::string> Put(const std::string& key, std::string_view bytes, const PutCondition& condition,
                          const std::string& content_type) override {
    return Ask<Result<std::string>>(
        "put " + key,
        [place = place_, key, text = std::string(bytes), condition, content_type]() -> Result<std::string> {
          Result<std::string> put = place->Put(key, text, condition, content_type);
          if (put.status().code() != Code::kFailedPrecondition) return put;
          // A bucket counts a race as won if it already holds the request's own bytes.
          const Result<std::optional<Blob>> there = place->Get(key);
          return there.ok() && *there && (*there)->bytes == text ? Result<std::string>((*there)->tag) : put;
        });
  }
  Status Copy(const std::string& from, const std::string& to) override {
    return Ask<Status>("copy to " + to, [place = place_, from, to] { return place->Copy(from, to); });
  }
  Status Delete(const std::string& key) override {
    return Ask<Status>("delete " + key, [place = place_, key] { return place->Delete(key); });
  }
  Status DeleteIf(const std::string& key, const std::string& tag) override {
    return Ask<Status>("delete version of " + key, [place = place_, key, tag] { return place->DeleteIf(key, tag); });
  }
  Result<std::vector<BlobInfo>> List(const std::string& prefix, bool one_level) override {
    return Ask<Result<std::vector<BlobInfo>>>(
        "list " + prefix, [place = place_, prefix, one_level] { return place->List(prefix, one_level); },
        /*changes=*/false);
  }
  BlobTransactions* transactions() override { return place_->transactions() ? this : nullptr; }

 private:
  Result<std::vector<std::string>> Commit(const std::vector<BlobChange>& changes) override {
    return Ask<Result<std::vector<std::string>>>(
        "commit " + changes.front().key, [place = place_, changes] { return place->transactions()->Commit(changes); });
  }
  Status PutGuarded(const std::string& guard, const std::string& key, std::string_view bytes) override {
    return Ask<Status>("put while held " + key, [place = place_, guard, key, text = std::string(bytes)] {
      return place->transactions()->PutGuarded(guard, key, text);
    });
  }
  Result<std::unique_ptr<LivenessLock>> HoldLiveness(const std::string& name) override {
    return place_->transactions()->HoldLiveness(name);
  }
  Result<bool> IsLive(const std::string& name) override {
    return Ask<Result<bool>>(
        "look at " + name, [place = place_, name] { return place->transactions()->IsLive(name); }, /*changes=*/false);
  }

  template <class Answer>
  Answer Ask(const std::string& what, std::function<Answer()> call, bool changes = true) {
    const std::function<void()> again = [call] { (void)call(); };
    switch (traffic_->Arrive(machine_, what, changes ? again : nullptr)) {
      case Traffic::Delivery::kDone:
      case Traffic::Delivery::kTwice:
        return call();
      case Traffic::Delivery::kLostAnswer:
        (void)call();
        return Unreachable(what);
      case Traffic::Delivery::kRefused:
      case Traffic::Delivery::kLate:
      case Traffic::Delivery::kKilled:
        return Unreachable(what);
    }
    KP_ASSERT(false, "every outcome has its behaviour");
  }

  Traffic* const traffic_;
  const size_t machine_;
  const std::shared_ptr<BlobBucket> place_;
};

Traffic::Traffic(unsigned seed, TrafficFaults faults, TrafficTally* tally)
    : random_(seed), faults_(faults), tally_(tally), machines_(kMachinesMax), pace_(0.9 + 0.05 * (random_() % 5)) {
  SetBootClock([this]() -> double { return boot_seconds_; });
}

Traffic::~Traffic() { SetBootClock(nullptr); }

void Traffic::Pass(int64_t milliseconds) {
  server_ms_ += milliseconds;
  boot_seconds_ = boot_seconds_ + static_cast<double>(milliseconds) / 1000 * pace_;
}

std::shared_ptr<BlobBucket> Traffic::Connect(size_t machine, const std::shared_ptr<BlobBucket>& place) {
  return std::make_shared<TrafficBucket>(this, machine, place);
}

void Traffic::Start(size_t machine, std::function<void()> command) {
  Machine& started = machines_[machine];
  started.running = true;
  started.thread = std::thread([this, machine, command = std::move(command)] {
    (void)Arrive(machine, "begins", nullptr);  // when it is let
    command();
    const std::lock_guard<std::mutex> lock(mutex_);
    machines_[machine].running = false;
    changed_.notify_all();
  });
}

Traffic::Delivery Traffic::Arrive(size_t machine, const std::string& what, std::function<void()> again) {
  std::unique_lock<std::mutex> lock(mutex_);
  Machine& asking = machines_[machine];
  if (!asking.running) return Delivery::kDone;  // not of a story
  asking.waiting = true;
  asking.asked_at = boot_seconds_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return asking.let; });
  asking.let = false;
  ++tally_->requests;
  if (boot_seconds_ - asking.asked_at > kStillHeldSeconds) asking.disturbed = true;
  if (asking.killed) {
    Trace(machine, what, Delivery::kKilled);
    return Delivery::kKilled;
  }
  const Delivery outcome = Draw(asking, again != nullptr);
  if (outcome != Delivery::kDone && outcome != Delivery::kTwice) asking.disturbed = true;
  Trace(machine, what, outcome);
  if (outcome == Delivery::kTwice || outcome == Delivery::kLate)
    under_way_.push_back({machine, what, std::move(again)});
  return outcome;
}

Traffic::Delivery Traffic::Draw(Machine& machine, bool changes) {
  const bool room = changes && under_way_.size() < kUnderWayMax;
  if (Chance(faults_.killed)) {
    ++tally_->killed;
    machine.killed = true;
    return Delivery::kKilled;
  }
  if (Chance(faults_.refused)) return ++tally_->refused, Delivery::kRefused;
  if (changes && Chance(faults_.lost_answer)) return ++tally_->lost_answers, Delivery::kLostAnswer;
  if (room && Chance(faults_.twice)) return ++tally_->twice, Delivery::kTwice;
  if (room && Chance(faults_.late)) return ++tally_->late, Delivery::kLate;
  return Delivery::kDone;
}

// Mostly the same one as before: the others are slow.
size_t Traffic::PickMachine() {
  std::vector<size_t> waiting;
  for (size_t i = 0; i < machines_.size(); ++i) {
    if (machines_[i].waiting) waiting.push_back(i);
  }
  if (waiting.empty()) return machines_.size();
  if (random_() % 4 == 0 || !machines_[last_].waiting) last_ = waiting[random_() % waiting.size()];
  return last_;
}

void Traffic::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    const auto settled = [this] {
      for (const Machine& machine : machines_) {
        if (machine.running && (!machine.waiting || machine.let)) return false;
      }
      return true;
    };
    changed_.wait(lock, settled);
    const size_t next = PickMachine();
    if (next == machines_.size()) break;
    const bool sleeps = Chance(faults_.asleep);
    if (sleeps) {
      ++tally_->asleep;
      for (Machine& machine : machines_) machine.disturbed = true;
    }
    Pass(sleeps ? 20'000 + static_cast<int64_t>(random_() % 60'000) : static_cast<int64_t>(random_() % 300));
    if (!under_way_.empty() && Chance(200)) {
      const size_t late = random_() % under_way_.size();
      const UnderWay arrived = std::move(under_way_[late]);
      under_way_.erase(under_way_.begin() + static_cast<ptrdiff_t>(late));
      LetIn(arrived);
    }
    machines_[next].waiting = false;
    machines_[next].let = true;
    changed_.notify_all();
  }
  lock.unlock();
  for (Machine& machine : machines_) {
    if (machine.thread.joinable()) machine.thread.join();
  }
}

void Traffic::Settle() {
  for (const UnderWay& arrived : std::exchange(under_way_, {})) {
    if (random_() % 4 != 0) LetIn(arrived);
  }
}

void Traffic::LetIn(const UnderWay& arrived) {
  ++tally_->arrived_late;
  if (std::getenv("KINGPOST_SHARED_TRACE")) {
    std::fprintf(stderr, "            late of machine %zu: %s\n", arrived.machine, arrived.what.c_str());
  }
  arrived.again();
}

void Traffic::Trace(size_t machine, const std::string& what, Delivery outcome) const {
  if (!std::getenv("KINGPOST_SHARED_TRACE")) return;
  static const char* const kFates[] = {"", "refused", "answer lost", "twice", "late", "killed"};
  std::fprintf(stderr, "%9.1f s machine %zu: %s  %s\n", boot_seconds_.load(), machine, what.c_str(),
               kFates[static_cast<size_t>(outcome)]);
}

}  // namespace kingpost::simulation
