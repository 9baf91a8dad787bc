// SPDX-License-Identifier: Apache-2.0
// The times of each step of an operation (--timings): the slowest of them, and the critical path. That is the chain of
// steps, each waiting for one before it, which bounds the time of the operation.
//
//     lane 1   |-- network --| |---- db ----| |- web -|      the chain: network, db, web
//     lane 2   |- bucket -|
//
// Fed on the engine's thread, asked after the operation.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kingpost/event.h"

namespace kingpost {

struct TimedStep {
  StepOp op = StepOp::kSame;
  Urn urn;
  std::string type;
  std::chrono::microseconds begin{0}, end{0};  // since the operation began
  bool ended = false, failed = false;
  int lane = 0;             // no two steps of a lane overlap
  std::vector<Urn> others;  // resources that this one names

  std::chrono::microseconds duration() const { return end - begin; }
};

class StepTimes : public EventSink {
 public:
  using Clock = std::chrono::steady_clock;

  explicit StepTimes(std::function<Clock::time_point()> now = Clock::now) : now_(std::move(now)), began_(now_()) {}

  void Emit(const EngineEvent& event) override;

  // The steps of custom resources, in the order in which they began. What has not ended ends now.
  std::vector<TimedStep> Steps() const;

 private:
  std::chrono::microseconds Now() const;
  void Begin(const StepMetadata& step);
  void End(const StepMetadata& step, bool failed);

  const std::function<Clock::time_point()> now_;
  const Clock::time_point began_;
  std::vector<TimedStep> steps_;
  std::unordered_map<std::string, size_t> open_;  // by operation and URN
};

// Places in the list. The path leads from the first step to the one that ended last.
std::vector<size_t> CriticalPath(const std::vector<TimedStep>& steps);
std::vector<size_t> SlowestSteps(const std::vector<TimedStep>& steps, size_t count);

// Both as lines, for the end of an operation; "" without steps.
std::string StepTimesText(const std::vector<TimedStep>& steps);

}  // namespace kingpost
