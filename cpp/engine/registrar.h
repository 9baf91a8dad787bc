// SPDX-License-Identifier: Apache-2.0
// The registrar: takes registrations and reads from arrival to their answer (groups 3 and 4).
//
// A registration is one coroutine, and reads from top to bottom in registration.cc:
//
//   claim URN -> find old -> refresh -> check -> policies -> diff -> decide -> run -> answer
//
// Registrations overlap wherever they wait. Two places are one at a time: the claim of a URN (no waiting inside),
// and the choice of steps, because a delete-before-replace may condemn resources whose registration is still to come.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/executor.h"
#include "engine/identity.h"
#include "engine/policies.h"
#include "plan/autonaming.h"
#include "plan/update_plan.h"

namespace kingpost::engine {

// How the program's registrations are meant (rows 3.6, 3.7).
enum class RunMode { kUpdate, kDestroy, kRefresh };

struct RegistrarParts {
  Loop& loop;
  const Operation& operation;
  RunState& state;
  Reporter& report;
  Recording& recording;
  ProviderRegistry& providers;
  Hooks& hooks;
  Views& views;
  Executor& executor;
  Policies& policies;
  plan::UpdatePlan* constraint;     // null if the update is not constrained
  plan::PlanBuilder* plan_builder;  // null if no plan is made
  const plan::Autonamer* autonamer;
  RunMode mode;
  bool refresh_inline;
};

struct Registered {
  StatePtr state;
  RegisterOutcome outcome = RegisterOutcome::kSuccess;
  bool unknown = false;  // a skipped create: nothing is known of it
};

struct ReadGoal {
  std::string id, type, name, provider;
  Urn parent;
  PropertyMap properties;
  std::vector<Urn> dependencies;
  std::vector<std::string> additional_secret_outputs;
  std::string source_position;
  std::vector<std::string> stack_trace;
};

// A resource that must be deleted before another one is replaced, and the keys that say why.
struct DependentReplace {
  StatePtr state;
  std::vector<std::string> keys;
};

class Registrar {
 public:
  explicit Registrar(RegistrarParts parts)
      : parts_(parts), identity_(parts.operation, parts.state, parts.report, parts.providers), decisions_(parts.loop) {}

  // A failed Status has been reported already, and the run has been stopped.
  Task<Result<Registered>> Register(std::shared_ptr<Goal> goal, std::optional<Parameterization> extension);
  Task<Result<Registered>> Read(ReadGoal goal);
  Task<Status> RegisterOutputs(Urn urn, PropertyMap outputs);

  // Row 4.2: what must go before `root`, dependents last.
  Task<Result<std::vector<DependentReplace>>> DependentReplacements(StatePtr root);
  // Resources that name `urn` in replaceWith or deletedWith.
  std::vector<DependentReplace> CascadeReplacements(const Urn& urn) const;
  Identity& identity() { return identity_; }
  // Configures the provider that a recorded resource needs, with its extension.
  Task<Status> EnsureProvider(StatePtr state);
  // Constrains and records the steps of a plan; adds untargeted dependencies in front (rows 3.33, 3.34, 3.42).
  Status Validate(plan::Chain* chain);
  Status TakeOps(const plan::Chain& chain);

  // The root stack's outputs, registered but held back until the end of the run.
  const std::optional<PropertyMap>& stack_outputs() const { return stack_outputs_; }
  Task<Status> FinishStackOutputs(bool errored);

  // An error that is not of a step: reports it once and stops the run.
  Status Fail(const Urn& urn, const Status& status);
  bool failed() const { return failed_; }
  // No step begins any more.
  bool stopped() const { return parts_.executor.stopped(); }

 private:
  friend class Registration;
  Task<Status> CompleteOutputs(Urn urn, PropertyMap outputs, bool final_stack_outputs, bool errored);
  // `after`: states that other chains delete early, which have to be gone first; if one stays, the chain is skipped.
  Task<bool> RunChain(plan::Chain chain, Registered* registered, std::vector<StatePtr> after = {});
  // Resources that a step may not touch because something it depends on failed or was skipped (row 5.11).
  bool DependsOnSkipped(const plan::Step& step) const;
  // The deletes of a chain that has ended: tells those who wait for them, and takes back what did not happen.
  void SettleDeletes(const plan::Chain& chain, size_t completed);
  // Waits for the early delete of the state to end; false if the state stays.
  Task<bool> IsGone(StatePtr state);
  void QueueUntargetedSame(const Urn& urn);
  // Registrations that have not chosen their steps yet, by their recorded names.
  void SetUndecided(const Urn& recorded) { undecided_[recorded] = std::make_shared<Event>(parts_.loop); }
  void SetDecided(const Urn& recorded);
  // The choice of one that `state` depends on, directly or not; null if there is none.
  std::shared_ptr<Event> UndecidedBelow(const State& state) const;

  RegistrarParts parts_;
  Identity identity_;
  Mutex decisions_;
  std::optional<PropertyMap> stack_outputs_;
  Urn stack_urn_;
  std::unordered_set<Urn> skipped_;
  std::unordered_map<Urn, std::shared_ptr<Event>> undecided_;
  plan::Chain pending_sames_;
  std::unordered_set<Urn> pending_same_urns_;
  bool failed_ = false;
};

}  // namespace kingpost::engine
