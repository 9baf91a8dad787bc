// SPDX-License-Identifier: Apache-2.0
// Views: resources that a provider shows as the parts of another one (row 3.47). They are recorded and displayed,
// and never operated on. While a provider works on the owner, it publishes steps under a token; they run after
// the owner's step (deletes: before). Engine thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "decisions/view_rules.h"
#include "engine/reporter.h"
#include "engine/run.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Views {
 public:
  Views(const Operation& operation, Run& run, Reporter& report) : operation_(operation), run_(run), report_(report) {}

  // A token for the owner's operation.
  StatusTarget Reserve(const Urn& owner, bool refresh, bool in_program);
  Status Publish(const std::string& token, const std::vector<ViewStep>& steps);
  // The views that were published for the owner, and the end of its token.
  std::vector<decisions::ViewOutcome> Release(const Urn& owner);

  // Refresh steps of views, by the base state they refreshed.
  const std::unordered_map<Urn, decisions::StepPtr>& refreshes() const { return refreshes_; }

 private:
  struct Token {
    decisions::ViewOwner owner;
    std::vector<decisions::ViewOutcome> steps;
  };
  const Operation& operation_;
  Run& run_;
  Reporter& report_;
  std::unordered_map<std::string, Token> tokens_;
  std::unordered_map<Urn, std::string> token_of_;
  std::unordered_map<Urn, decisions::StepPtr> refreshes_;
};

}  // namespace kingpost::engine
