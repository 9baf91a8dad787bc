// SPDX-License-Identifier: Apache-2.0
// One registration on its way from arrival to answer. Lives in the frame of its coroutine. Engine thread.
//
//   claim URN -> migrate what is recorded -> find old -> refresh -> provider -> import -> check -> policies -> choose
//   -> run -> answer
//
// Each stage gives what it found to the next. What others must know goes to decisions::Rows; what to do is decided in
// decisions/.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "decisions/autonaming.h"
#include "decisions/check_rules.h"
#include "decisions/choose.h"
#include "decisions/condemning.h"
#include "decisions/run_mode.h"
#include "engine/chains.h"
#include "engine/identity.h"
#include "engine/policies.h"
#include "engine/request_barrier.h"
#include "engine/step_gate.h"

namespace kingpost::engine {

// The parts of an operation that its registrations use.
struct ResourceRequestParts : RunParts {
  Executor& executor;
  Policies& policies;
  update_plan::UpdatePlan* constraint;     // null if the update is not constrained
  update_plan::PlanBuilder* plan_builder;  // null if no plan is made
  const decisions::Autonamer* autonamer;
  decisions::RunMode mode;
  decisions::RefreshTime refresh_time;
};

// The state that registrations share beside it.
struct RegistrationParts : ResourceRequestParts {
  Identity& identity;
  ChoiceQueue& choices;
  StepGate& gate;
  Chains& chains;
  RequestBarrier& standstill;
};

class Registration {
 public:
  Registration(const RegistrationParts& parts, std::shared_ptr<Goal> goal, std::optional<Parameterization> extension,
               std::vector<Callback> state_migrations)
      : parts_(parts),
        goal_(std::move(goal)),
        extension_(std::move(extension)),
        state_migrations_(std::move(state_migrations)) {}

  // A failed Status is to be reported of urn(), unless it says that the run was stopped.
  Task<Result<ResourceAnswer>> Run();
  Urn urn() const { return parts_.run.MakeUrn(goal_->parent, goal_->type, goal_->name); }

 private:
  // The chain to run, or the answer if there is nothing to run.
  struct ChosenSteps {
    decisions::Chain chain;
    std::vector<StatePtr> after;  // dependents that other chains delete: they are gone before this chain begins
    std::optional<ResourceAnswer> answer;
  };
  enum class ImportOutcome { kNotRequested, kDone, kAnswered };
  struct PolicyOutcome {
    bool takes_part = true;
    bool breaks_policy = false;           // a mandatory one, and all is said
    std::vector<std::string> remediated;  // inputs that policies have set
  };
  struct CheckOutcome {
    PolicyOutcome judged;
    bool failed = false;
  };

  Task<Result<ChosenSteps>> ChooseSteps();
  Status Claim();
  Task<Status> Extend();
  Task<Status> Migrate();
  bool Match();  // false if another resource claims what it was, too; reported
  Task<Status> RefreshInline();
  Task<Status> AnnounceRefresh();
  Task<Status> ReadInline();
  Task<Result<std::optional<PropertyMap>>> CheckForRefresh();
  std::optional<ChosenSteps> AnswerByMode();
  Task<Result<ChosenSteps>> Skip();
  Result<ChosenSteps> LeaveOutWithOwner();
  Task<Status> ResolveProvider(bool was_deleted_first);
  Task<Result<ImportOutcome>> Import(bool was_deleted_first, ResourceAnswer* answer);
  Task<Result<PolicyOutcome>> Judge(bool is_matched, bool was_deleted_first);
  Task<Result<CheckOutcome>> Check(bool was_deleted_first);
  bool ProposeName();  // true if the user named it on purpose
  Status CheckAgainstPlan(bool starts_afresh);
  Task<Status> ApplyPolicies(PolicyOutcome* judged);

  // ---- registration_choose.cc
  Task<Result<ChosenSteps>> Choose(PolicyOutcome judged, bool imported);
  decisions::Candidate CandidateOf(const PolicyOutcome& judged, bool imported) const;
  Task<Status> Ask(const decisions::Choice& question, decisions::Answers* answers);
  Task<Result<bool>> ProviderReplaces(decisions::AskProvider question);
  Task<Result<DiffResponse>> Diff();
  Task<Result<ChosenSteps>> Commit(decisions::Decision decision);
  Result<ChosenSteps> CommitKeep(const decisions::Decision& decision);
  ChosenSteps CommitSame(const decisions::Decision& decision);
  decisions::Chain ChainOf(const decisions::Decision& decision) const;

  // ---- registration_replace.cc
  Task<Status> PrepareReplace(const decisions::Decision& decision, bool breaks_policy);
  Status CheckReplaceable(const DiffResponse& diff) const;
  Task<Status> ApplyPoliciesAgain(PropertyMap analyzed, bool breaks_policy);
  Task<Result<ChosenSteps>> CommitDeleteFirst(const decisions::Decision& decision);
  Status CheckProtected(const std::vector<decisions::Condemned>& condemned) const;

  Task<Result<CheckResponse>> CallCheck(decisions::CheckPlan plan);
  bool ReportCheckFailures(const CheckResponse& answer);
  Status Stopped(const char* what) const;

  decisions::Rows& rows() const { return parts_.run.rows(); }
  bool is_preview() const { return parts_.operation.options.preview; }
  const Urn& recorded_urn() const { return alias_.empty() ? urn_ : alias_; }
  bool is_provider() const { return IsProviderType(goal_->type); }
  bool StartsAfresh(bool was_deleted_first) const;

  const RegistrationParts& parts_;
  std::shared_ptr<Goal> goal_;
  std::optional<Parameterization> extension_;
  const std::vector<Callback> state_migrations_;

  Urn urn_, alias_;
  StatePtr old_;
  decisions::Draft draft_;
  ProviderPtr provider_;  // null for components and for providers themselves
  std::string seed_;
  std::optional<Autonaming> autonaming_;
};

// Detail of a Status: a step of the registration failed and has ended the run; all is said.
struct RunStopped {};

}  // namespace kingpost::engine
