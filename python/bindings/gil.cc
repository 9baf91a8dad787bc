// SPDX-License-Identifier: Apache-2.0
#include "bindings/gil.h"

#include <condition_variable>
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

void CountGilUse(std::chrono::steady_clock::duration held) {
  Gate& gate = TheGate();
  const std::lock_guard<std::mutex> lock(gate.mutex);
  ++gate.use.times;
  gate.use.seconds += std::chrono::duration<double>(held).count();
}

bool CloseGate(double seconds) {
  Gate& gate = TheGate();
  std::unique_lock<std::mutex> lock(gate.mutex);
  gate.closed = true;
  return gate.left.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return gate.inside == 0; });
}

}  // namespace kingpost::python
