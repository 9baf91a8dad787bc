// SPDX-License-Identifier: Apache-2.0
// What is left over once the program has registered everything: resources it no longer wants, and those that were
// replaced (rows 4.5 to 4.11, 6.8, 6.9). Engine thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/executor.h"
#include "engine/registrar.h"
#include "plan/deletes.h"

namespace kingpost::engine {

class DeletePhase {
 public:
  DeletePhase(Loop& loop, const Operation& operation, RunState& state, Reporter& report, Registrar& registrar,
              Executor& executor)
      : loop_(loop),
        operation_(operation),
        state_(state),
        report_(report),
        registrar_(registrar),
        executor_(executor) {}

  // Chooses and runs the deletes. A failed Status has not been reported, unless it is a bail.
  Task<Status> Run();

 private:
  struct Condemned {
    plan::StepPtr step;
    StatePtr node;  // in the graph: the base state, also if a refresh has renewed it
  };
  struct InUse {
    std::unordered_set<std::string> providers;  // references
    std::unordered_set<Urn> urns;
  };
  struct Progress;  // of the running deletes

  Task<Status> FindTargets();
  bool IsTargeted(const State& state) const;
  bool IsOldSideTargeted(const State& old_side) const;
  Task<Status> Choose();
  plan::StepPtr KeptAsItStands(const StatePtr& recorded) const;
  void ConsiderBase(const StatePtr& recorded);
  InUse WhatIsInUse() const;
  void SpareWhatIsInUse();
  Status CheckTargets() const;
  const DependencyGraph& Graph();
  std::unordered_set<Urn> WithDependents(const plan::UrnPatterns& targets);
  std::unordered_set<Urn> WithDependencies(const plan::UrnPatterns& excludes);
  void WaitForOldNames(plan::DeleteSchedule* schedule) const;
  void WaitForLaterProviders(plan::DeleteSchedule* schedule) const;
  Task<void> RunDeletes();
  bool StaysAsRecorded(const StatePtr& recorded) const;
  void KeepWhatOthersNeed(const std::vector<StatePtr>& nodes, Progress* progress);
  bool Needs(const Condemned& dependent, const Condemned& needed) const;
  void KeepForFailed(int index, Progress* progress);
  Task<void> RunOne(int index, Progress* progress);

  Loop& loop_;
  const Operation& operation_;
  RunState& state_;
  Reporter& report_;
  Registrar& registrar_;
  Executor& executor_;
  std::optional<std::unordered_set<Urn>> allowed_;    // with --target
  std::optional<std::unordered_set<Urn>> forbidden_;  // with --exclude
  std::unordered_set<Urn> other_names_;               // of what is allowed because of its old or its new name
  std::unique_ptr<DependencyGraph> own_graph_;        // over what a program registered for deletion and the base
  std::vector<Condemned> condemned_;
  plan::Chain kept_;
};

}  // namespace kingpost::engine
