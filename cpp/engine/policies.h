// SPDX-License-Identifier: Apache-2.0
// Policy packs at work: remediation and analysis of resources and of the stack (rows 9.2 to 9.4). Engine thread.
#pragma once

#include <optional>
#include <vector>

#include "decisions/step.h"
#include "engine/reporter.h"
#include "engine/run.h"
#include "kingpost/analyzer.h"

namespace kingpost::engine {

class Policies {
 public:
  Policies(Loop& loop, const Operation& operation, Run& run, Reporter& report)
      : loop_(loop), operation_(operation), run_(run), report_(report) {}

  // Loads and configures every pack of the operation; fails the operation before the program starts.
  Task<Status> Load();
  bool any() const { return !packs_.empty(); }
  const std::map<std::string, std::string>& versions() const { return versions_; }  // names as summaries tell them

  // Pack by pack, each seeing what the one before changed: the draft's inputs. Once more without a word, when these
  // have been checked anew.
  Task<Status> Remediate(decisions::Draft draft, bool tells = true);
  // All packs side by side. True if a mandatory policy is broken. Once more for inputs that have been checked
  // anew: then it tells of mandatory policies alone.
  Task<Result<bool>> Analyze(decisions::Draft draft, bool tells_all = true);
  // Once at the end, if nothing failed.
  Task<Status> AnalyzeStack();

 private:
  struct Pack {
    AnalyzerPtr analyzer;
    AnalyzerInfo info;
  };
  AnalyzerResource Describe(const State& state, const PropertyMap& properties) const;
  Task<void> AnalyzeWith(const Pack* pack, AnalyzerResource resource, bool tells_all, Result<bool>* broken);
  Task<void> AnalyzeStackWith(const Pack* pack, std::vector<AnalyzerResource> resources, Status* status);
  void Violation(const Urn& urn, PolicyDiagnostic diagnostic, std::vector<AppliedException> exceptions = {});

  Loop& loop_;
  const Operation& operation_;
  Run& run_;
  Reporter& report_;
  std::vector<Pack> packs_;
  std::map<std::string, std::string> versions_;
};

}  // namespace kingpost::engine
