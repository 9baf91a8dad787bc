// SPDX-License-Identifier: Apache-2.0
#include "engine/registrar.h"

#include <algorithm>
#include <unordered_set>

#include "base/encoding.h"
#include "engine/extension.h"
#include "engine/provider_diff.h"
#include "engine/registration.h"
#include "plan/diff_rules.h"

namespace kingpost::engine {

Task<Result<Registered>> Registrar::Register(std::shared_ptr<Goal> goal, std::optional<Parameterization> extension) {
  if (stopped()) co_return Status::Bail("the run was stopped");
  Registration registration(*this, std::move(goal), std::move(extension));
  co_return co_await registration.Run();
}

Status Registrar::Fail(const Urn& urn, const Status& status) {
  if (!parts_.executor.stopped() || !failed_) parts_.report.Report(urn, status);
  failed_ = true;
  parts_.executor.Stop();
  return Status::Bail(status.message());
}

bool Registrar::DependsOnSkipped(const plan::Step& step) const {
  if (skipped_.empty()) return false;
  for (const plan::DependencyRef& ref : plan::AllDependencies(step.resource())) {
    if (skipped_.count(ref.urn) > 0) return true;
  }
  return skipped_.count(plan::ProviderUrn(step.resource())) > 0;
}

void Registrar::SettleDeletes(const plan::Chain& chain, size_t completed) {
  RunState& state = parts_.state;
  for (size_t i = 0; i < chain.size(); ++i) {
    const plan::Step& step = *chain[i];
    if (step.new_state) continue;
    if (i >= completed) state.Unmark(step.urn(), kDeleted);
    const auto early = state.deleted_early.find(step.old_state.get());
    if (early == state.deleted_early.end()) continue;
    const std::shared_ptr<Event> ended = early->second;
    if (i >= completed) state.deleted_early.erase(early);
    ended->Set();
  }
}

Task<bool> Registrar::IsGone(StatePtr state) {
  const auto& early = parts_.state.deleted_early;
  const auto found = early.find(state.get());
  if (found == early.end()) co_return false;
  const std::shared_ptr<Event> ended = found->second;
  co_await *ended;
  co_return early.count(state.get()) > 0;
}

Task<bool> Registrar::RunChain(plan::Chain chain, Registered* registered, std::vector<StatePtr> after) {
  const Urn urn = registered->state->urn;
  bool skip = false;
  for (const StatePtr& state : after) {
    const bool gone = co_await IsGone(state);
    skip = skip || !gone;
  }
  skip = skip ||
         std::any_of(chain.begin(), chain.end(), [this](const plan::StepPtr& step) { return DependsOnSkipped(*step); });
  if (skip) {
    SettleDeletes(chain, 0);
    if (parts_.executor.stopped()) co_return false;
    skipped_.insert(urn);
    registered->outcome = RegisterOutcome::kSkip;
    co_return true;
  }
  Executor::ChainResult result = co_await parts_.executor.Run(chain);
  SettleDeletes(chain, result.completed);
  switch (result.outcome) {
    case Executor::Outcome::kDone:
      if (result.state) {
        registered->state = result.state;
        if (parts_.plan_builder) parts_.plan_builder->SetOutputs(result.state->urn, result.state->outputs);
      }
      co_return true;
    case Executor::Outcome::kFailed:
      skipped_.insert(urn);
      registered->outcome = RegisterOutcome::kFail;
      // Not every failure ends the run: that of a protected resource does not.
      co_return parts_.operation.options.continue_on_error || !parts_.executor.stopped();
    case Executor::Outcome::kStopped:
      break;
  }
  co_return false;
}

void Registrar::SetDecided(const Urn& recorded) {
  const auto found = undecided_.find(recorded);
  if (found == undecided_.end()) return;
  found->second->Set();
  undecided_.erase(found);
}

std::shared_ptr<Event> Registrar::UndecidedBelow(const State& state) const {
  std::unordered_set<Urn> seen = {state.urn};
  std::vector<const State*> waiting = {&state};
  while (!waiting.empty()) {
    const State& next = *waiting.back();
    waiting.pop_back();
    std::vector<Urn> below = {plan::ProviderUrn(next)};
    for (const plan::DependencyRef& ref : plan::AllDependencies(next)) below.push_back(ref.urn);
    for (const Urn& urn : below) {
      if (urn.empty() || !seen.insert(urn).second || parts_.state.HasStep(urn)) continue;
      const auto undecided = undecided_.find(urn);
      if (undecided != undecided_.end()) return undecided->second;
      const StatePtr recorded = parts_.state.Old(urn);
      if (recorded) waiting.push_back(recorded.get());
    }
  }
  return nullptr;
}

void Registrar::QueueUntargetedSame(const Urn& urn) {
  RunState& state = parts_.state;
  if (urn.empty() || state.HasStep(urn) || state.IsBeingRefreshed(urn) || pending_same_urns_.count(urn) > 0) return;
  StatePtr recorded = state.Old(urn);
  if (!recorded || state.WaitsForDelete(recorded)) return;
  pending_same_urns_.insert(urn);
  if (auto ref = ProviderReference::Parse(recorded->provider); !recorded->provider.empty() && ref.ok()) {
    StatePtr provider = state.Old(ref->urn);
    if (provider && provider->id == ref->id) QueueUntargetedSame(ref->urn);
  }
  for (const plan::DependencyRef& ref : plan::AllDependencies(*recorded)) QueueUntargetedSame(ref.urn);
  pending_sames_.push_back(plan::UntargetedSame(recorded));
}

Status Registrar::TakeOps(const plan::Chain& chain) {
  for (const plan::StepPtr& step : chain) {
    // A plan knows a resource by its new name, and a step that deletes its old self by the old one.
    const auto renamed = parts_.state.aliased.find(step->urn());
    const Urn& urn = renamed == parts_.state.aliased.end() ? step->urn() : renamed->second;
    if (parts_.constraint) {
      KP_TRY(parts_.constraint->TakeOp(urn, step->op));
    }
    if (parts_.plan_builder) parts_.plan_builder->AddOp(urn, step->op);
  }
  return Status();
}

Status Registrar::Validate(plan::Chain* chain) {
  RunState& state = parts_.state;
  plan::Chain kept;
  for (plan::StepPtr& same : std::exchange(pending_sames_, {})) {
    const Urn urn = same->urn();
    if (state.HasStep(urn) || state.IsOperatedOn(urn)) continue;
    state.Mark(urn, kSeen | kUnchanged);
    kept.push_back(std::move(same));
  }
  chain->insert(chain->begin(), kept.begin(), kept.end());
  KP_TRY(TakeOps(*chain));
  const bool by_excludes = state.excludes.constrained() && !state.targets.constrained();
  if (!by_excludes && !state.targets.constrained() && !state.replaces.constrained()) return Status();

  for (const plan::StepPtr& step : *chain) {
    if (!step->new_state || step->skipped_create) continue;
    Urn missing;
    plan::DependsOnAny(*step->new_state, [&](const Urn& urn) {
      if (!state.Is(urn, kSkippedCreate)) return false;
      missing = urn;
      return true;
    });
    if (missing.empty()) continue;
    // Pulumi goes on with what an --exclude leaves without its dependency, and then refuses its own record.
    const char* why = by_excludes
                          ? "', which does not exist yet and is left out by --exclude. Create it first, or leave "
                            "out what depends on it too: pass --exclude-dependents."
                          : "' which was was not specified in --target list.";
    parts_.report.Error(step->urn(), "Resource '" + step->urn().str() + "' depends on '" + missing.str() + why);
    state.saw_error = true;
    if (!parts_.operation.options.preview) return Status::Bail("untargeted create");
    state.Unmark(missing, kSkippedCreate);  // reported once
  }
  return Status();
}

Task<Result<Registered>> Registrar::Read(ReadGoal goal) {
  if (stopped()) co_return Status::Bail("the run was stopped");
  RunState& state = parts_.state;
  const Result<Urn> claimed = identity_.Claim(goal.parent, goal.type, goal.name);
  if (!claimed.ok()) co_return Fail(state.MakeUrn(goal.parent, goal.type, goal.name), claimed.status());
  const Urn urn = *claimed;
  const Status may = identity_.MayStillChange(urn);
  if (!may.ok()) co_return Fail(urn, may);
  auto draft = std::make_shared<State>();
  draft->urn = urn;
  draft->type = goal.type;
  draft->custom = true;
  draft->id = goal.id;
  draft->inputs = goal.properties;
  draft->parent = goal.parent;
  draft->external = true;
  draft->dependencies = goal.dependencies;
  draft->provider = goal.provider;
  draft->additional_secret_outputs = goal.additional_secret_outputs;
  draft->source_position = goal.source_position;
  draft->stack_trace = goal.stack_trace;
  if (draft->id.empty()) co_return Fail(urn, Status(Code::kInvalidArgument, "Expected an ID for " + urn.str()));

  const OldResource old = identity_.FindOld(urn, goal.parent, goal.type, goal.name, {});
  if (old.clash) co_return Fail(urn, Status::Bail());
  if (!old.alias.empty()) draft->aliases.push_back(old.alias);
  Status ensured = co_await parts_.providers.Ensure(draft->provider);
  if (!ensured.ok()) co_return Fail(urn, ensured);
  plan::Chain chain;
  if (old.state && !old.state->external && old.state->id != draft->id) {
    state.Mark(urn, kReplaced);
    chain = {plan::ReadReplacement(old.state, draft), plan::Replace(old.state, draft)};
  } else {
    if (parts_.mode == RunMode::kDestroy) state.to_delete.push_back(draft);
    state.Mark(urn, kRead);
    chain = {plan::Read(old.state, draft)};
  }
  Registered registered;
  registered.state = draft;
  const bool answered = co_await RunChain(std::move(chain), &registered);
  if (!answered) co_return Status::Bail("the run was stopped");
  co_return registered;
}

Task<Status> Registrar::EnsureProvider(StatePtr state) {
  // It is gone, and its provider may be, too.
  if (parts_.state.WaitsForReplacement(state)) co_return Status();
  Status ensured = co_await parts_.providers.Ensure(state->provider);
  if (!ensured.ok() || state->extension_ref.empty()) co_return ensured;
  auto recorded = parts_.operation.base->extensions.find(state->extension_ref);
  if (recorded == parts_.operation.base->extensions.end()) {
    co_return Status(Code::kNotFound, "extension blob for " + state->extension_ref + " (resource " + state->urn.str() +
                                          ") not found in snapshot");
  }
  auto extension = ParseExtension(recorded->second);
  if (!extension.ok()) co_return extension.status();
  bool first = false;
  co_return co_await parts_.providers.Extend(state->provider, state->extension_ref, *extension, &first);
}

Task<Result<std::vector<DependentReplace>>> Registrar::DependentReplacements(StatePtr root) {
  RunState& state = parts_.state;
  std::vector<DependentReplace> result;
  std::unordered_set<Urn> condemned = {root->urn};
  // What this run has handled already cannot be condemned any more.
  const StatePtr node = state.Original(root);
  if (state.graph().IndexOf(node) < 0) co_return result;  // not recorded before this run: nothing depends on it
  const std::vector<StatePtr> dependents = state.graph().DependingOn(node, state.stepped(), false);
  for (const StatePtr& dependent : dependents) {
    const Urn provider_urn = plan::ProviderUrn(*dependent);
    const bool by_provider = !provider_urn.empty() && condemned.count(provider_urn) > 0;
    // What was only read is not there to be replaced, but it cannot name a provider that is gone.
    if (!dependent->custom || (dependent->external && !by_provider) || state.WaitsForReplacement(dependent)) continue;
    const bool with_other = !dependent->deleted_with.empty() && condemned.count(dependent->deleted_with) > 0;
    const auto inputs = plan::InputsWithUnknowns(*dependent, condemned);
    if (!by_provider && !with_other && !inputs) continue;
    Status ensured;
    if (dependent->is_provider()) {
      ensured = co_await parts_.providers.Same(dependent->urn, dependent->id, dependent->inputs, /*from_check=*/false);
    } else {
      ensured = co_await EnsureProvider(dependent);
    }
    if (!ensured.ok()) co_return ensured.Wrap("could not load provider for resource " + dependent->urn.str());
    if (by_provider || with_other) {
      result.push_back({dependent, {}});
      condemned.insert(dependent->urn);
      continue;
    }
    DiffRequest request;
    request.urn = dependent->urn;
    request.name = dependent->urn.name();
    request.type = dependent->urn.type();
    request.id = dependent->id;
    request.old_inputs = dependent->inputs;
    request.old_outputs = dependent->outputs;
    request.new_inputs = *inputs;
    request.ignore_changes = dependent->ignore_changes;
    Result<DiffResponse> diff(Code::kUnknown, "not asked");
    if (dependent->is_provider()) {
      diff = co_await parts_.providers.Diff(std::move(request));
    } else {
      ProviderPtr provider = parts_.providers.Get(dependent->provider);
      diff = co_await DiffWithProvider(*provider, std::move(request), parts_.report);
    }
    if (!diff.ok()) co_return diff.status();
    auto promoted = plan::ApplyReplaceOnChanges(std::move(*diff), dependent->replace_on_changes, false);
    if (!promoted.ok()) co_return promoted.status();
    if (!plan::WantsReplace(*promoted)) continue;
    result.push_back({dependent, promoted->replaces});
    condemned.insert(dependent->urn);
  }
  co_return result;
}

std::vector<DependentReplace> Registrar::CascadeReplacements(const Urn& urn) const {
  std::vector<DependentReplace> result;
  for (StatePtr& state : parts_.state.NamedBy(urn)) result.push_back({std::move(state), {}});
  return result;
}

Task<Status> Registrar::RegisterOutputs(Urn urn, PropertyMap outputs) {
  if (urn.qualified_type() == kRootStackType) {
    stack_outputs_ = std::move(outputs);
    stack_urn_ = urn;
    co_return Status();
  }
  Status completed = co_await CompleteOutputs(urn, std::move(outputs), false, false);
  if (!completed.ok()) co_return Fail(urn, completed);
  co_return completed;
}

Task<Status> Registrar::FinishStackOutputs(bool errored) {
  if (!stack_outputs_) co_return Status();
  co_return co_await CompleteOutputs(stack_urn_, *stack_outputs_, true, errored);
}

Task<Status> Registrar::CompleteOutputs(Urn urn, PropertyMap outputs, bool final_stack_outputs, bool errored) {
  auto awaiting = parts_.state.awaiting_outputs.find(urn);
  if (awaiting == parts_.state.awaiting_outputs.end()) {
    if (final_stack_outputs) co_return Status();
    co_return Status(Code::kFailedPrecondition,
                     "cannot complete a resource '" + urn.str() + "' whose registration isn't pending");
  }
  plan::StepPtr step = awaiting->second;
  parts_.state.awaiting_outputs.erase(awaiting);
  if (step->skipped_create) co_return Status();
  StatePtr recorded = parts_.state.Old(urn);
  const PropertyMap old_outputs = recorded ? recorded->outputs : PropertyMap();
  if (final_stack_outputs && errored) {
    // A run that failed says nothing of the outputs it did not reach.
    PropertyMap merged = old_outputs;
    for (const auto& [key, value] : outputs) merged.Set(key, value);
    outputs = merged;
  }
  if (parts_.constraint) {
    KP_CO_TRY(parts_.constraint->CheckOutputs(urn, old_outputs, outputs));
  }
  if (parts_.plan_builder) parts_.plan_builder->SetRegisteredOutputs(urn, old_outputs, outputs);
  co_return co_await parts_.executor.RegisterOutputs(step, std::move(outputs));
}

}  // namespace kingpost::engine
