// SPDX-License-Identifier: Apache-2.0
// Whether the reasons that steps give are true: each chain of causes ends, in a first cause that the options, the
// record, the program or a provider bears out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kingpost/engine.h"

namespace kingpost::scenarios {

class ReasonCheck {
 public:
  void Saw(const StepMetadata& step);
  // Returns what is untrue; "" if nothing is.
  std::string Complaint(const OperationOptions& options) const;

 private:
  std::string FollowChain(const StepMetadata& step) const;

  std::vector<StepMetadata> steps_;
  std::map<Urn, size_t> first_of_;
};

// "inputs-changed (zone) by b" in the words of scenarios; `by` is a label already.
std::string ReasonLine(const decisions::Reason& reason, const std::string& by);

}  // namespace kingpost::scenarios
