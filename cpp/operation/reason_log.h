// SPDX-License-Identifier: Apache-2.0
// Why an operation or a preview did what it did, kept for 'kingpost why': a document beside the history.
//
//     {"version": 1, "kind": "update", "time": 1795347000123, "result": "succeeded", "providersAsked": true,
//      "unchanged": "inputs-equal",
//      "reasons": [{"rule": "not-in-place", "properties": ["zone"]}, {"rule": "input-replaced", "by": URN, "cause":
//      0}], "steps": [{"urn": URN, "op": "replace", "reason": 1}]}
//
// It grows with what changes: of what stays as it is, only what has another reason than most has a step. It holds no
// values, so no secrets.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "decisions/reason.h"
#include "kingpost/event.h"

namespace kingpost {

struct KeptStep {
  Urn urn;
  StepOp op = StepOp::kSame;
  decisions::ReasonPtr because;  // null if it has none
  bool failed = false;
};

struct KeptReasons {
  std::string kind;  // "update", "refresh", "destroy", "import"
  bool preview = false;
  int64_t time_ms = 0;             // of the end, since 1970
  bool succeeded = false;          // if not, it may not have come to all resources
  bool providers_asked = false;    // also where inputs are equal
  decisions::ReasonPtr unchanged;  // of those that have no step here; null if there are none
  std::vector<KeptStep> steps;     // one of each resource, in the order in which they were first heard of
};

std::string EncodeReasons(const KeptReasons& kept);
// `named_now`: what each URN is called since it was kept.
Result<KeptReasons> DecodeReasons(const std::string& bytes, const std::function<Urn(const Urn&)>& named_now);

// Collects them from the events of one run. One thread.
class ReasonLog : public EventSink {
 public:
  void Emit(const EngineEvent& event) override;

  bool empty() const { return steps_.empty(); }
  // The fields `steps` and `unchanged` of KeptReasons.
  KeptReasons Collected() const;

 private:
  void Note(const StepMetadata& step, bool failed);

  std::vector<KeptStep> steps_;
  std::vector<int> weights_;  // of steps_: what a person counts outweighs its halves, and a change what stays
  std::unordered_map<Urn, size_t> place_of_;
};

}  // namespace kingpost
