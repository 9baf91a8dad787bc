// SPDX-License-Identifier: Apache-2.0
// The services that an evaluation needs: functions and methods of providers, states of resources, files. Evaluation
// never waits: it stops at the first question without an answer, the caller gets the answer and evaluates again from
// the start. Because evaluation is deterministic, the n-th question gets the n-th answer.
#pragma once

#include <optional>
#include <vector>

#include "kingpost/monitor.h"
#include "languages/pcl/position.h"

namespace kingpost::pcl {

struct Effect {
  enum class Kind { kInvoke, kCall, kReadFile } kind = Kind::kInvoke;
  ResourceInvokeRequest invoke;
  ResourceCallRequest call;
  std::string path;  // of kReadFile; the answer holds "content"
};

struct EffectAnswer {
  PropertyMap result;
  std::vector<CheckFailure> failures;
  bool unknown = false;
};

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

}  // namespace kingpost::pcl
