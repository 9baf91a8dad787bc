// SPDX-License-Identifier: Apache-2.0
// Traffic: the requests between commands on several machines and the bucket that they share. Requests pass one at a
// time, in an order and with faults that follow from a seed:
//
//     refused       the bucket does not see it
//     lost          it is done, and its answer is lost
//     twice         it is done now and once more later
//     late          it is done only later, when its sender has long got an error
//
// Meanwhile time passes, from a moment to more than a lease. A machine may be killed: then only its requests on the way
// still arrive.
//
// Commands run on threads of their own. All of them wait, except the one whose request passed last.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "remote/blob/blob_transactions.h"
#include "remote/blob/memory_bucket.h"

namespace kingpost::simulation {

// How often each fault happens, in a thousand requests.
struct TrafficFaults {
  int refused = 0, lost_answer = 0, twice = 0, late = 0, killed = 0, asleep = 0;
};

struct TrafficTally {
  long requests = 0, refused = 0, lost_answers = 0, twice = 0, late = 0, arrived_late = 0, killed = 0, asleep = 0;
  long faults() const { return refused + lost_answers + twice + late + killed + asleep; }
};

class Traffic {
 public:
  Traffic(unsigned seed, TrafficFaults faults, TrafficTally* tally);
  ~Traffic();

  // The network of a machine to `place`: a bucket, or a table if it has transactions. Run() lets its requests pass.
  std::shared_ptr<BlobBucket> Connect(size_t machine, const std::shared_ptr<BlobBucket>& place);
  // Starts a command; it goes on when Run() lets it.
  void Start(size_t machine, std::function<void()> command);
  // Lets requests pass until all commands have ended.
  void Run();
  // Lets the requests that are still on their way through, or drops them.
  void Settle();

  // Milliseconds since 1970 by the bucket's clock, and since boot by that of the machines, which goes at another pace.
  int64_t server_ms() const { return server_ms_; }
  double boot_seconds() const { return boot_seconds_; }
  void Pass(int64_t milliseconds);

  bool killed(size_t machine) const { return machines_[machine].killed; }
  // Its requests had no fault, and it was not asleep for so long that another may come.
  bool undisturbed(size_t machine) const { return !machines_[machine].disturbed; }

 private:
  friend class TrafficBucket;
  enum class Delivery { kDone, kRefused, kLostAnswer, kTwice, kLate, kKilled };
  struct Machine {
    bool running = false, waiting = false, let = false, killed = false, disturbed = false;
    double asked_at = 0;
    std::thread thread;
  };

  struct UnderWay {
    size_t machine;
    std::string what;
    std::function<void()> again;
  };

  // Waits for the request's turn. `again` does it without its sender; null for one that changes nothing.
  Delivery Arrive(size_t machine, const std::string& what, std::function<void()> again);
  void Trace(size_t machine, const std::string& what, Delivery outcome) const;
  void LetIn(const UnderWay& arrived);
  Delivery Draw(Machine& machine, bool changes);
  size_t PickMachine();
  bool Chance(int in_thousand) { return static_cast<int>(random_() % 1000) < in_thousand; }

  std::mt19937 random_;
  const TrafficFaults faults_;
  TrafficTally* const tally_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Machine> machines_;
  std::vector<UnderWay> under_way_;
  double pace_;  // of the machines' clocks
  int64_t server_ms_ = 1'790'000'000'000;
  std::atomic<double> boot_seconds_{1000};
  size_t last_ = 0;
};

}  // namespace kingpost::simulation
