// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP, by what the command is doing. Scopes nest, and the innermost decides:
//
//   HoldingSignals    a stack is held and nothing is under way (questions, loading): the lock is released, and the
//                     command ends
//   OperationSignals  operations run: the first signal asks them to finish what is in flight and stop, the second to
//                     stop now
//   SavingSignals     the state is being written: it is written to its end
//
// Whatever takes too long after two signals is left: the process ends, and its journal tells the next command what was
// under way. Without a scope a signal does what it does to any process.
//
// The handler only writes to a pipe; a thread reads it. Main thread only.
#pragma once

#include <functional>

#include "kingpost/engine.h"

namespace kingpost {

class SignalScope {
 public:
  SignalScope(const SignalScope&) = delete;

 protected:
  enum class Kind { kHolding, kOperation, kSaving, kWatching };
  struct Parts {
    Kind kind;
    std::function<void()> release = nullptr;              // kHolding, kWatching: what is called
    std::function<void(int number)> interrupt = nullptr;  // kOperation: the first signal, the second
    bool ends_after = false;                              // kSaving
    bool reported_by_display = false;                     // kOperation: the display says what an interrupt does
  };
  explicit SignalScope(Parts parts);
  ~SignalScope();

 private:
  friend class SignalWatch;
  const Parts parts_;
  int received_ = 0;
};

class HoldingSignals : SignalScope {
 public:
  // `release` runs on the thread that reads signals, and only while no scope is within this one.
  explicit HoldingSignals(std::function<void()> release) : SignalScope({Kind::kHolding, std::move(release)}) {}
};

// What waits between operations is called: by the thread that reads signals while none runs, and at the end of one that
// received a signal.
class WatchingSignals : SignalScope {
 public:
  explicit WatchingSignals(std::function<void()> tell) : SignalScope({Kind::kWatching, std::move(tell)}) {}
};

class OperationSignals : SignalScope {
 public:
  // `reported_by_display`: the display says what an interrupt does.
  explicit OperationSignals(Cancellation& cancellation, bool reported_by_display = false)
      : OperationSignals(
            [&cancellation](int number) { number == 1 ? cancellation.Cancel() : cancellation.Terminate(); },
            reported_by_display) {}
  // For several operations. Called with 1 and then 2, on the thread that reads signals.
  OperationSignals(std::function<void(int number)> interrupt, bool reported_by_display)
      : SignalScope({Kind::kOperation, nullptr, std::move(interrupt), false, reported_by_display}) {}
};

class SavingSignals : SignalScope {
 public:
  // The later effect of a signal that came meanwhile: the command goes on to its end, or it ends there and then.
  enum class After { kGoOn, kEnd };
  explicit SavingSignals(After after) : SignalScope({Kind::kSaving, nullptr, nullptr, after == After::kEnd}) {}
};

}  // namespace kingpost
