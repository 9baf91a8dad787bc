// SPDX-License-Identifier: Apache-2.0
// The services that an evaluation needs: functions and methods of providers, states of resources, files. Evaluation
// never waits: it stops at the first question without an answer, the caller gets the answer and evaluates again from
// the start. Because evaluation is deterministic, the n-th question gets the n-th answer.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kingpost/monitor.h"
#include "languages/pcl/position.h"

namespace kingpost::pcl {

class Evaluator;
struct EvaluationContext;

struct Effect {
  enum class Kind { kInvoke, kCall, kReadFile } kind = Kind::kInvoke;
  ResourceInvokeRequest invoke;
  ResourceCallRequest call;
  std::string path;  // of kReadFile; the answer holds "content"
};

using EffectAnswer = ResourceInvokeResponse;

class EffectLog {
 public:
  // Before each evaluation.
  void Rewind() {
    next_ = 0;
    wanted_.reset();
  }
  // The answer, or null: then the evaluation stops.
  const Result<EffectAnswer>* Ask(Effect effect) {
    if (next_ < answers_.size()) return &answers_[next_++];
    wanted_ = std::move(effect);
    return nullptr;
  }
  const std::optional<Effect>& wanted() const { return wanted_; }
  void Answer(Result<EffectAnswer> answer) { answers_.push_back(std::move(answer)); }

 private:
  std::vector<Result<EffectAnswer>> answers_;
  size_t next_ = 0;
  std::optional<Effect> wanted_;
};

using Compute = std::function<Status(Evaluator*)>;
using Perform = std::function<Task<Result<EffectAnswer>>(Effect)>;

// Computes, and again after each effect that it asks for. What all three refer to outlives the task. Engine thread.
Task<Status> Settle(const EvaluationContext& around, Compute compute, Perform perform);

}  // namespace kingpost::pcl
