// SPDX-License-Identifier: Apache-2.0
// Completion values from the stacks at hand. Each list is read when it is asked for; what cannot be read is an empty
// list.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/completion/completion.h"
#include "cli/session/session.h"

namespace kingpost {

class KnownValues {
 public:
  // `stack` as it was typed; "" for the selected one.
  KnownValues(Session& session, std::string stack) : session_(session), stack_(std::move(stack)) {}

  // Those of the project by their short names, all others by their full ones.
  std::vector<Candidate> Stacks();
  std::vector<Candidate> ConfigKeys(const std::string& end);  // "region=" for the end "="
  std::vector<Candidate> Resources();                         // URNs
  std::vector<Candidate> Outputs();
  std::vector<Candidate> Tags();

 private:
  std::optional<StackName> Stack();

  Session& session_;
  const std::string stack_;
};

}  // namespace kingpost
