// SPDX-License-Identifier: Apache-2.0
// The deletes after the program has registered everything: resources it no longer wants, and replaced ones
// (rows 4.5 to 4.7, 4.9, 6.8, 6.9). Pure; the rows are read, not changed.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "decisions/rows.h"
#include "decisions/selection.h"

namespace kingpost::decisions {

struct DeleteStep {
  StepPtr step;
  StatePtr node;  // in the graph: the base state, also if a refresh has renewed it
};

struct Deletes {
  std::vector<DeleteStep> going;
  Chain kept;  // sames of what targets and excludes leave out
};

class DeleteChoice {
 public:
  DeleteChoice(const Rows& rows, const Selection& selection, bool destroys, bool exclude_protected);

  // Over what a program registered for deletion and the base.
  const DependencyGraph& graph() const;
  // With --target: the targets and all that depends on them. Whatever else may go is added, before Choose.
  const std::unordered_set<Urn>& targeted() const { return selection_.targeted(); }
  void Allow(const Urn& urn) { selection_.Allow(urn); }

  Deletes Choose();

 private:
  struct InUse;

  StepPtr MakeKeptSame(const StatePtr& recorded) const;
  void ConsiderBase(const StatePtr& recorded);
  void ConsiderRegistered(const StatePtr& registered);
  InUse CollectStatesInUse() const;
  void KeepStatesInUse();
  void Go(StepPtr step, StatePtr node, Rule rule);

  const Rows& rows_;
  const bool destroys_;
  std::unique_ptr<DependencyGraph> own_graph_;  // where a program registered something for deletion
  Selection::Deletes selection_;
  Deletes deletes_;
};

// The resources that would be deleted although no target names them (row 4.7), with a complaint for each.
struct UntargetedDelete {
  Urn urn;
  std::string text;
};
std::vector<UntargetedDelete> UntargetedDeletes(const Deletes& deletes, const Rows& rows, const Selection& selection);

// A recorded resource that this run neither renewed nor condemned: its step failed, or it was left out because of
// another failure.
bool IsUntouched(const StatePtr& recorded, const Rows& rows);

}  // namespace kingpost::decisions
