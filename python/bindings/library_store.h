// SPDX-License-Identifier: Apache-2.0
// A state store written in Python (kingpost.StateStore): its objects are a bucket, over which the engine's own store of
// buckets keeps stacks, locks and journals.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "bindings/python_object.h"
#include "kingpost/state_store.h"

namespace kingpost::python {

// How long the user's store is waited for: as long as it takes, until its operation is given up. What is under way then
// has had the grace since the operation was cancelled, and each later call has a second. Any thread.
class StorePatience {
 public:
  using Clock = std::chrono::steady_clock;

  void Begin() { cancelled_ = 0, given_up_ = false; }
  void Cancel();                                  // the grace runs from the first
  void GiveUp() { given_up_ = true; }             // after a Cancel
  bool Exhausted(Clock::time_point begun) const;  // for a call that began then

 private:
  std::atomic<Clock::rep> cancelled_{0};  // of Clock; 0: not
  std::atomic<bool> given_up_{false};
};

// bridge: a kingpost._store_bridge.StateStoreBridge.
Result<std::shared_ptr<StateStore>> OpenPythonStore(SharedObject bridge, std::shared_ptr<const StorePatience> patience);

}  // namespace kingpost::python
