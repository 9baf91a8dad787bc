// SPDX-License-Identifier: Apache-2.0
#include "bindings/gil.h"

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

namespace kingpost::python {

namespace {

struct Gate {
  std::mutex mutex;
  std::condition_variable left;
  int inside = 0;
  bool closed = false;
  GilUse use;
};

// Never destroyed: threads of ours may outlive the interpreter.
Gate& TheGate() {
  static Gate& gate = *new Gate;
  return gate;
}

}  // namespace

bool EnterGate() {
  Gate& gate = TheGate();
  const std::lock_guard<std::mutex> lock(gate.mutex);
  if (gate.closed) return false;
  ++gate.inside;
  return true;
}

void LeaveGate() {
  Gate& gate = TheGate();
  const std::lock_guard<std::mutex> lock(gate.mutex);
  if (--gate.inside == 0) gate.left.notify_all();
}

bool GateClosed() {
  Gate& gate = TheGate();
  const std::lock_guard<std::mutex> lock(gate.mutex);
  return gate.closed;
}

GilUse CountedGilUse() {
  Gate& gate = TheGate();
  const std::lock_guard<std::mutex> lock(gate.mutex);
  return gate.use;
}

void CountGilUse(double seconds) {
  Gate& gate = TheGate();
  const std::lock_guard<std::mutex> lock(gate.mutex);
  ++gate.use.times;
  gate.use.seconds += seconds;
}

double ThreadSeconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

bool CloseGate(double seconds) {
  Gate& gate = TheGate();
  std::unique_lock<std::mutex> lock(gate.mutex);
  gate.closed = true;
  return gate.left.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return gate.inside == 0; });
}

}  // namespace kingpost::python
