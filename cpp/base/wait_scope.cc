// SPDX-License-Identifier: Apache-2.0
#include "base/wait_scope.h"

#include <map>
#include <mutex>

namespace kingpost {

namespace {

struct Waits {
  std::mutex mutex;
  uint64_t next = 0;
  std::map<uint64_t, Wait> by_number;  // in the order in which they began
};

// Never destroyed: threads that are left behind may still wait at the end.
Waits& AllWaits() {
  static auto* const waits = new Waits();
  return *waits;
}

}  // namespace

WaitScope::WaitScope(std::string what) {
  Waits& waits = AllWaits();
  const std::lock_guard<std::mutex> lock(waits.mutex);
  number_ = waits.next++;
  waits.by_number.emplace(number_, Wait{std::move(what), std::chrono::steady_clock::now()});
}

WaitScope::~WaitScope() {
  Waits& waits = AllWaits();
  const std::lock_guard<std::mutex> lock(waits.mutex);
  waits.by_number.erase(number_);
}

std::optional<Wait> LongestWait() {
  Waits& waits = AllWaits();
  const std::lock_guard<std::mutex> lock(waits.mutex);
  if (waits.by_number.empty()) return std::nullopt;
  return waits.by_number.begin()->second;
}

}  // namespace kingpost
