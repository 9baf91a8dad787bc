// SPDX-License-Identifier: Apache-2.0
// Views: resources that a provider shows as the parts of another one (row 3.47). They are recorded and displayed,
// and never operated on. While a provider works on the owner, it publishes steps under a token; they run after
// the owner's step (deletes: before). Engine thread.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/reporter.h"
#include "engine/run.h"
#include "kingpost/engine.h"

namespace kingpost::engine {

class Views {
 public:
  Views(const Operation& operation, Run& run, Reporter& report) : operation_(operation), run_(run), report_(report) {}

  struct PublishedStep {
    decisions::StepPtr step;
    Status failure;  // not ok: the provider said that this step failed
    bool partial = false;
    int64_t recorded = 0;  // its operation in the recording, once begun
  };

  // A token for the owner's operation.
  StatusTarget Reserve(const Urn& owner, bool refresh, bool persisted);
  Status Publish(const std::string& token, const std::vector<ViewStep>& steps);
  // What was published for the owner, and the end of its token.
  std::vector<PublishedStep> Release(const Urn& owner);

  // Deletes of an owner's views that a preview assumes.
  std::vector<decisions::StepPtr> AssumedDeletes(const Urn& owner) const;
  // An unchanged owner's views are unchanged, too.
  std::vector<decisions::StepPtr> Sames(const Urn& owner) const;
  // Refresh steps of views, by the base state they refreshed.
  const std::unordered_map<Urn, decisions::StepPtr>& refreshes() const { return refreshes_; }

 private:
  struct Token {
    Urn owner;
    bool refresh = false, persisted = false;
    std::vector<PublishedStep> steps;
  };
  Result<PublishedStep> MakeStep(const Token& token, const ViewStep& view) const;
  decisions::Draft MakeState(const Urn& owner, const State& published) const;

  const Operation& operation_;
  Run& run_;
  Reporter& report_;
  std::unordered_map<std::string, Token> tokens_;
  std::unordered_map<Urn, std::string> token_of_;
  std::unordered_map<Urn, decisions::StepPtr> refreshes_;
};

}  // namespace kingpost::engine
