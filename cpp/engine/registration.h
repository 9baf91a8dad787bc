// SPDX-License-Identifier: Apache-2.0
// One registration on its way from arrival to answer. Lives in the frame of its coroutine. Engine thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/registrar.h"

namespace kingpost::engine {

class Registration {
 public:
  Registration(Registrar& registrar, std::shared_ptr<Goal> goal, std::optional<Parameterization> extension)
      : registrar_(registrar), parts_(registrar.parts_), goal_(std::move(goal)), extension_(std::move(extension)) {}

  Task<Result<Registered>> Run();

 private:
  // Each stage fails with what went wrong, or goes on.
  Task<Status> Choose();  // all of them, up to the steps to take
  Status Claim();
  Task<Status> Extend();
  void FindOld();
  void TakeFromProgram(State* refreshed) const;
  Task<Status> RefreshInline();
  Task<Status> AnnounceRefresh();
  void TakeRefreshed(const StatePtr& refreshed);
  bool AnsweredByMode();  // sets chain_ or answer_ (rows 3.6, 3.7)
  Task<Status> ResolveProvider();
  Task<Status> Import();
  Task<Status> Judge();  // the next three
  Task<Status> Check();
  Status HoldToPlan();
  Task<Status> ApplyPolicies();
  Task<Status> ApplyPoliciesAgain(PropertyMap analyzed);
  Task<Status> Decide();

  Task<Result<CheckResponse>> CallCheck(PropertyMap old_inputs, PropertyMap new_inputs);
  bool ReportCheckFailures(const std::vector<CheckFailure>& failures);
  Task<Result<DiffResponse>> Diff();
  Task<Result<bool>> ProviderChanged();
  Task<Status> DecideFromDiff(DiffResponse diff, bool triggered);
  Task<Status> PrepareReplace(const DiffResponse& diff);
  Task<Status> DeleteBeforeReplace(const DiffResponse& diff);
  void AddCascade(std::vector<DependentReplace>* dependents) const;
  Status CheckProtectedDependents(const std::vector<DependentReplace>& dependents);
  Status KeepUntargeted();
  Status KeepWithDependencies(const StatePtr& old_state);
  Status MayStillChange() const;
  std::shared_ptr<Event> WhatTurnWaitsFor();
  Task<Semaphore::Permit> TakeTurn();
  void Recreate();
  void Unchanged();
  void Explain(const DiffResponse& diff, plan::Step* step) const;

  bool is_preview() const { return parts_.operation.options.preview; }
  const Urn& recorded_urn() const { return alias_.empty() ? urn_ : alias_; }
  bool is_provider() const { return IsProviderType(goal_->type); }
  // Check gets no old inputs when what is made is new (row 3.13).
  bool StartsAfresh() const;

  Registrar& registrar_;
  RegistrarParts& parts_;
  std::shared_ptr<Goal> goal_;
  std::optional<Parameterization> extension_;

  Urn urn_, alias_;
  StatePtr old_;
  plan::Draft draft_;
  ProviderPtr provider_;  // null for components and for providers themselves
  std::string seed_;
  std::optional<PropertyMap> compared_;  // a component's inputs without the changes that it ignores; it is told of all
  std::optional<Autonaming> autonaming_;
  bool invalid_ = false;        // an alias clash, a Check failure or a policy forbids it
  bool breaks_policy_ = false;  // a mandatory one, and all is said
  bool imported_ = false;
  bool stopped_ = false;  // a step of this registration failed and has ended the run: all is said
  bool targeted_ = true;
  bool was_external_ = false;
  bool deleted_ = false;  // by the replacement of something it depended on, in this run

  plan::Chain chain_;
  std::vector<StatePtr> go_first_;    // dependents that other chains delete: they are gone before this chain begins
  std::optional<Registered> answer_;  // if there is nothing to run
};

}  // namespace kingpost::engine
