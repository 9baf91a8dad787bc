// SPDX-License-Identifier: Apache-2.0
// The second half of a registration: which steps it takes (rows 3.15 to 3.34).
#include "base/encoding.h"
#include "engine/provider_diff.h"
#include "engine/registration.h"
#include "plan/diff_rules.h"

namespace kingpost::engine {

void Registration::Explain(const DiffResponse& diff, plan::Step* step) const {
  step->keys = diff.replaces;
  step->diffs = diff.changed_keys;
  step->stables = diff.stables;
  if (diff.has_detailed) step->detailed = diff.detailed;
  step->ignore_changes = goal_->ignore_changes;
}

// The right to choose steps, which one registration has at a time.
Task<Semaphore::Permit> Registration::TakeTurn() {
  while (true) {
    Semaphore::Permit turn = co_await registrar_.decisions_.Acquire();
    const std::shared_ptr<Event> first = WhatTurnWaitsFor();
    if (!first) co_return turn;
    turn.Release();
    co_await *first;
  }
}

// If something we depended on has condemned us, its delete: it may fail, and then we live on. If we are not targeted,
// the choices that what we depend on has yet to make: it is ours to keep only if nobody else records it.
std::shared_ptr<Event> Registration::WhatTurnWaitsFor() {
  RunState& state = parts_.state;
  const auto early = old_ ? state.deleted_early.find(state.Original(old_).get()) : state.deleted_early.end();
  deleted_ = early != state.deleted_early.end();
  if (deleted_) return early->second->is_set() ? nullptr : early->second;
  return old_ && !targeted_ ? registrar_.UndecidedBelow(*old_) : nullptr;
}

void Registration::Unchanged() {
  if (imported_) {
    answer_ = Registered{old_, RegisterOutcome::kSuccess, false};
    return;
  }
  parts_.state.Mark(urn_, kUnchanged);
  // Equal inputs are held once: in a large stack that changes little, this is a quarter of the memory.
  if (DeepEqual(draft_->inputs, old_->inputs)) draft_->inputs = old_->inputs;
  chain_ = {plan::Same(old_, draft_)};
  for (plan::StepPtr& view : parts_.views.Sames(old_->urn)) {
    parts_.state.Mark(view->urn(), kUnchanged);
    chain_.push_back(std::move(view));
  }
}

// Under either of its names.
Status Registration::MayStillChange() const {
  const Status may = registrar_.identity().MayStillChange(urn_);
  return may.ok() ? registrar_.identity().MayStillChange(alias_) : may;
}

Task<Status> Registration::Decide() {
  RunState& state = parts_.state;
  Semaphore::Permit turn = co_await TakeTurn();
  if (deleted_) {
    Status judged;
    if (!targeted_) judged = co_await Judge();  // it was to stay as it was, and then something condemned it
    if (judged.ok()) Recreate();
    co_return judged;
  }
  if (was_external_) {
    // It becomes ours; what was read is dropped.
    state.Mark(urn_, kCreated);
    chain_ = {plan::CreateReplacement(old_, draft_, true), plan::Replace(old_, draft_)};
    co_return Status();
  }
  if (state.excludes.constrained() && !targeted_ && state.IsExcluded(*draft_)) {
    state.excludes_actual.Add(urn_);
  } else if (targeted_ && state.IsTargeted(*draft_)) {
    state.targets_actual.Add(urn_);
  }
  if (!old_) {
    state.Mark(urn_, targeted_ ? kCreated : kUnchanged | kSkippedCreate);
    chain_ = {targeted_ ? plan::Create(draft_) : plan::SkippedCreate(draft_)};
    co_return Status();
  }
  if (!targeted_) co_return KeepUntargeted();
  KP_CO_TRY(MayStillChange());
  turn.Release();

  if (!is_preview() && ContainsUnknowns(draft_->replacement_trigger)) {
    const std::string text = "replacement trigger contains unknowns for " + urn_.str();
    parts_.report.Error(urn_, text);
    state.saw_error = true;
    co_return Status::Bail(text);
  }
  const bool triggered = plan::TriggersReplace(old_->replacement_trigger, draft_->replacement_trigger);
  DiffResponse diff;
  if (triggered) {
    diff.changes = DiffChanges::kSome;
  } else {
    Result<DiffResponse> answer = co_await Diff();
    if (!answer.ok()) {
      const Status failed = answer.status();
      if (!failed.detail<DiffUnavailable>()) co_return failed;
      parts_.report.Warning(urn_, failed.message());
      diff.changes = DiffChanges::kSome;
    } else {
      diff = std::move(*answer);
    }
  }
  co_return co_await DecideFromDiff(std::move(diff), triggered);
}

Task<Result<DiffResponse>> Registration::Diff() {
  RunState& state = parts_.state;
  DiffResponse forced;
  forced.changes = DiffChanges::kSome;
  if (state.IsForcedReplace(urn_, old_)) {
    forced.replaces = {"id"};
    co_return forced;
  }
  for (const Urn& other : draft_->replace_with) {
    if (!state.Is(other, kReplaced)) continue;
    forced.replaces = {"replaceWith"};
    co_return forced;
  }
  if (!draft_->deleted_with.empty() && state.Is(draft_->deleted_with, kReplaced)) {
    forced.replaces = {"deletedWith"};
    co_return forced;
  }
  Result<bool> changed = co_await ProviderChanged();
  if (!changed.ok()) co_return changed.status();
  if (*changed) {
    forced.replaces = {"provider"};
    co_return forced;
  }
  if (!goal_->custom || parts_.operation.options.legacy_diff) {
    const bool equal = DeepEqual(old_->inputs, draft_->inputs);
    if (!goal_->custom || equal) {
      DiffResponse plain;
      plain.changes = equal ? DiffChanges::kNone : DiffChanges::kSome;
      co_return plain;
    }
  }
  DiffRequest request;
  request.urn = urn_;
  request.name = urn_.name();
  request.type = urn_.type();
  request.id = old_->id;
  request.old_inputs = old_->inputs;
  request.old_outputs = old_->outputs;
  request.new_inputs = draft_->inputs;
  request.ignore_changes = goal_->ignore_changes;
  request.allow_unknowns = is_preview();
  if (!is_provider()) {
    co_return co_await DiffWithProvider(*provider_, std::move(request), parts_.report);
  }
  Result<DiffResponse> answer = co_await parts_.providers.Diff(std::move(request));
  if (!answer.ok()) co_return answer;
  co_return ResolveUnknownDiff(std::move(*answer), urn_, old_->inputs, draft_->inputs, goal_->ignore_changes,
                               parts_.report);
}

Task<Result<bool>> Registration::ProviderChanged() {
  if (old_->provider == draft_->provider) co_return false;
  if (old_->provider.empty() || draft_->provider.empty()) co_return true;
  auto old_ref = ProviderReference::Parse(old_->provider);
  auto new_ref = ProviderReference::Parse(draft_->provider);
  if (!old_ref.ok()) co_return old_ref.status();
  if (!new_ref.ok()) co_return new_ref.status();
  auto renamed = parts_.state.aliased.find(old_ref->urn);
  if (renamed != parts_.state.aliased.end() && renamed->second == new_ref->urn) co_return false;
  ProviderPtr provider = parts_.providers.Get(draft_->provider);
  if (!provider) co_return Status(Code::kNotFound, "failed to resolve provider reference: " + Quote(draft_->provider));
  StatePtr old_provider = parts_.state.OldProvider(*old_ref);
  auto new_provider = parts_.state.providers.find(new_ref->urn);
  if (!old_provider || new_provider == parts_.state.providers.end()) co_return true;
  DiffRequest request;
  request.urn = new_ref->urn;
  request.name = new_ref->urn.name();
  request.type = new_ref->urn.type();
  request.id = new_ref->id;
  request.old_inputs = plan::PluginConfig(old_provider->inputs);
  request.old_outputs = old_provider->outputs;
  request.new_inputs = plan::PluginConfig(new_provider->second->inputs);
  Result<DiffResponse> diff = co_await provider->DiffConfig(std::move(request));
  if (!diff.ok()) co_return diff.status();
  co_return plan::WantsReplace(*diff);
}

Task<Status> Registration::DecideFromDiff(DiffResponse diff, bool triggered) {
  RunState& state = parts_.state;
  if (compared_ && DeepEqual(*compared_, draft_->inputs)) draft_->inputs = goal_->inputs;
  if (diff.changes == DiffChanges::kUnknown) {
    co_return Status(Code::kInternal, "unrecognized diff state for " + urn_.str() + ": 0");
  }
  const bool init_errors = !old_->init_errors.empty();
  auto promoted = plan::ApplyReplaceOnChanges(std::move(diff), goal_->replace_on_changes, init_errors);
  if (!promoted.ok()) co_return promoted.status();
  diff = std::move(*promoted);
  const bool resumes = state.WaitsForReplacement(old_);
  const bool changed = diff.changes == DiffChanges::kSome || resumes;
  const bool replaces = changed && (plan::WantsReplace(diff) || triggered || resumes);
  if (replaces && !deleted_) {
    KP_CO_TRY(co_await PrepareReplace(diff));
  }
  Semaphore::Permit turn = co_await TakeTurn();
  if (deleted_) {  // while we asked, something we depend on condemned us
    Recreate();
    co_return Status();
  }
  KP_CO_TRY(MayStillChange());
  if (replaces) {
    if (goal_->delete_before_replace.value_or(diff.delete_before_replace)) {
      co_return co_await DeleteBeforeReplace(diff);
    }
    plan::StepPtr create = plan::CreateReplacement(old_, draft_, !resumes);
    create->old_is_gone = resumes;
    plan::StepPtr replace = plan::Replace(old_, draft_);
    Explain(diff, create.get());
    Explain(diff, replace.get());
    chain_ = {create, replace};
    co_return Status();
  }
  if (!changed && !init_errors) {
    Unchanged();
    co_return Status();
  }
  state.Mark(urn_, kUpdated);
  plan::StepPtr update = plan::Update(old_, draft_);
  Explain(diff, update.get());
  update->keys.clear();
  chain_ = {update};
  co_return Status();
}

Status Registration::KeepUntargeted() {
  if (parts_.state.Is(old_->urn, kUnchanged)) {  // for the sake of something that was registered before it
    parts_.state.Mark(urn_, kUnchanged);         // it may have a new name
    answer_ = Registered{old_, RegisterOutcome::kSuccess, false};
    return Status();
  }
  const bool is_served = !old_->provider.empty() && !parts_.state.WaitsForReplacement(old_);
  if (is_served && !parts_.providers.Get(old_->provider)) {
    auto ref = ProviderReference::Parse(old_->provider);
    if (!ref.ok()) return ref.status();
    const StatePtr recorded = parts_.state.OldProvider(*ref);
    if (!recorded) return Status(Code::kNotFound, "could not find provider " + old_->provider + " in old state");
    // An old side that an earlier run has left to serve it still does.
    if (!recorded->pending_delete) {
      return Status(Code::kFailedPrecondition,
                    "provider " + old_->provider + " for resource " + urn_.str() +
                        " has not been registered yet, this is due to a change of providers mixed with --target. "
                        "Change your program back to the original providers");
    }
  }
  return KeepWithDependencies(old_);
}

// The old state stays, and before it everything it refers to that this run has not yet kept.
Status Registration::KeepWithDependencies(const StatePtr& old_state) {
  RunState& state = parts_.state;
  if (state.WaitsForDelete(old_state)) return Status();
  state.Mark(old_state->urn, kSeen | kUnchanged);
  state.Mark(urn_, kUnchanged);
  if (auto ref = ProviderReference::Parse(old_state->provider); !old_state->provider.empty() && ref.ok()) {
    StatePtr provider = state.Old(ref->urn);
    if (provider && provider->id == ref->id && !state.HasStep(ref->urn) && !state.IsOperatedOn(ref->urn)) {
      Status kept = KeepWithDependencies(provider);
      if (!kept.ok()) return kept;
    }
  }
  for (const plan::DependencyRef& dependency : plan::AllDependencies(*old_state)) {
    if (state.HasStep(dependency.urn) || state.IsBeingRefreshed(dependency.urn)) continue;
    StatePtr recorded = state.Old(dependency.urn);
    if (!recorded) {
      static constexpr const char* kKinds[] = {"parent", "dependency", "property dependency", "deleted with dependency",
                                               "replace with dependency"};
      std::string text = std::string(kKinds[static_cast<int>(dependency.kind)]) + " " + dependency.urn.str() +
                         " of untargeted resource " + urn_.str();
      if (!dependency.property.empty()) text += "'s property " + dependency.property;
      parts_.report.Error(urn_, text + " has no old state");
      return Status::Bail(text + " has no old state");
    }
    KP_TRY(KeepWithDependencies(recorded));
  }
  chain_.push_back(plan::UntargetedSame(old_state));
  return Status();
}

}  // namespace kingpost::engine
