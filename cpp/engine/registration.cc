// SPDX-License-Identifier: Apache-2.0
#include "engine/registration.h"

#include "base/encoding.h"
#include "engine/extension.h"
#include "engine/provider_diff.h"
#include "plan/diff_rules.h"
#include "plan/new_state.h"

namespace kingpost::engine {

namespace {

constexpr char kNoAutonaming[] =
    " resource has a custom autonaming setting but the provider does not support autonaming configuration, consider "
    "upgrading to a newer version";

}  // namespace

Task<Status> Registration::Choose() {
  Status status = Claim();
  if (status.ok() && extension_) status = co_await Extend();
  if (status.ok()) FindOld();
  if (status.ok()) status = co_await RefreshInline();
  if (status.ok() && !AnsweredByMode()) {
    (void)co_await TakeTurn();
    status = co_await ResolveProvider();
    if (status.ok()) status = co_await Import();
    if (status.ok() && !answer_) {
      status = co_await Judge();
      if (status.ok()) status = co_await Decide();
    }
  }
  if (status.ok() && !answer_) status = registrar_.Validate(&chain_);
  co_return status;
}

// What is to be made, and whether it may be.
Task<Status> Registration::Judge() {
  Status status = co_await Check();
  if (status.ok()) status = HoldToPlan();
  if (status.ok()) status = co_await ApplyPolicies();
  co_return status;
}

Task<Result<Registered>> Registration::Run() {
  Status status = co_await Choose();
  registrar_.SetDecided(recorded_urn());
  if (!status.ok()) registrar_.SettleDeletes(chain_, 0);
  if (stopped_) co_return status;
  if (!status.ok()) co_return registrar_.Fail(parts_.state.MakeUrn(goal_->parent, goal_->type, goal_->name), status);
  if (answer_) co_return *answer_;

  Registered registered;
  registered.state = draft_;
  registered.unknown = !chain_.empty() && chain_.back()->skipped_create;
  goal_->inputs = PropertyMap();  // the draft holds what was made of them; the goal lives as long as the run
  const bool answered = co_await registrar_.RunChain(std::move(chain_), &registered, std::move(go_first_));
  if (!answered) co_return Status::Bail("the run was stopped");
  co_return registered;
}

Status Registration::Claim() {
  Result<Urn> claimed = registrar_.identity().Claim(goal_->parent, goal_->type, goal_->name);
  if (claimed.ok()) urn_ = *claimed;
  return claimed.status();
}

Task<Status> Registration::Extend() {
  bool first = false;
  Status extended = co_await parts_.providers.Extend(goal_->provider, goal_->extension_ref, *extension_, &first);
  if (!extended.ok() || !first) co_return extended;
  co_return co_await parts_.recording.Extension(goal_->extension_ref, ExtensionJson(*extension_));
}

void Registration::FindOld() {
  RunState& state = parts_.state;
  OldResource found = registrar_.identity().FindOld(urn_, goal_->parent, goal_->type, goal_->name, goal_->aliases);
  old_ = std::move(found.state);
  alias_ = found.alias;
  invalid_ = found.clash;
  registrar_.SetUndecided(recorded_urn());
  state.goals[urn_] = goal_;
  draft_ = plan::NewState(*goal_, urn_, old_, alias_);
  if (!is_provider()) return;
  state.providers[urn_] = draft_;
  if (!alias_.empty()) state.providers[alias_] = draft_;
}

// A refresh records what the program says of all that it reads. What decides whether a resource has to be replaced
// stays as it was, or an update could not tell any more. What is not read keeps all but its name.
void Registration::TakeFromProgram(State* refreshed) const {
  const bool read = old_->custom && !old_->is_provider() && !parts_.state.WaitsForReplacement(old_);
  State next = read ? *draft_ : *refreshed;
  next.urn = urn_;
  next.type = draft_->type;
  next.parent = draft_->parent;
  next.aliases = draft_->aliases;
  next.id = refreshed->id;
  next.inputs = refreshed->inputs;
  next.outputs = refreshed->outputs;
  if (parts_.mode != RunMode::kRefresh) {
    next.provider = refreshed->provider;
    next.replacement_trigger = refreshed->replacement_trigger;
    next.taint = refreshed->taint;
  }
  *refreshed = std::move(next);
}

// Components and providers have nothing to be read, and go on as they were; that their turn came is told all the same.
// What has become a secret since is sealed.
Task<Status> Registration::AnnounceRefresh() {
  plan::StepPtr step = plan::Refresh(old_);
  step->persisted_refresh = step->internal_refresh = true;
  step->new_state->urn = urn_;
  Executor::SealOutputs(step->new_state.get());
  const bool sealed = !DeepEqual(step->new_state->outputs, old_->outputs);
  plan::Chain chain = {step};
  const Executor::ChainResult result = co_await parts_.executor.Run(chain);
  if (result.outcome == Executor::Outcome::kDone) {
    if (sealed) TakeRefreshed(result.state);
    co_return Status();
  }
  stopped_ = parts_.executor.stopped();
  co_return Status::Bail("the run was stopped");
}

void Registration::TakeRefreshed(const StatePtr& refreshed) {
  if (refreshed) {
    parts_.state.refreshed[old_.get()] = refreshed;
    parts_.state.refreshed_from[refreshed.get()] = old_;
  }
  old_ = refreshed;
}

Task<Status> Registration::RefreshInline() {
  const bool wanted = old_ && (parts_.refresh_inline || parts_.state.IsInDoubt(old_));
  if (!wanted || !parts_.state.IsIncluded(*old_)) co_return Status();
  const Status may = MayStillChange();  // else it is recorded already
  if (!may.ok()) co_return may;
  parts_.state.Mark(urn_, kRefreshed);
  if (!goal_->custom || is_provider()) {
    co_return co_await AnnounceRefresh();
  }
  KP_CO_TRY(co_await registrar_.EnsureProvider(old_));
  plan::StepPtr step = plan::Refresh(old_);
  step->persisted_refresh = true;
  TakeFromProgram(step->new_state.get());
  plan::Chain chain = {step};
  Executor::ChainResult result = co_await parts_.executor.Run(chain);
  if (result.outcome != Executor::Outcome::kDone) {
    stopped_ = parts_.executor.stopped();
    co_return Status::Bail("the refresh of the resource failed");
  }
  TakeRefreshed(result.state);
  if (old_) {
    draft_->refresh_before_update = old_->refresh_before_update;
    draft_->modified = old_->modified;
  }
  co_return Status();
}

bool Registration::AnsweredByMode() {
  if (parts_.mode == RunMode::kUpdate) return false;
  RunState& state = parts_.state;
  const bool on_skipped = plan::DependsOnAny(*draft_, [&](const Urn& urn) { return state.Is(urn, kSkippedCreate); });
  const bool plain_custom = goal_->custom && !is_provider();
  if (parts_.mode == RunMode::kRefresh) {
    if (!plain_custom && !on_skipped) return false;
    if (old_) {
      answer_ = Registered{old_, RegisterOutcome::kSuccess, false};
    } else {
      state.Mark(urn_, kUnchanged | kSkippedCreate);
      chain_ = {plan::SkippedCreate(draft_)};
    }
    return true;
  }
  if (on_skipped || (plain_custom && !old_)) {
    state.Mark(urn_, kSkippedCreate);
    if (old_) draft_->outputs = old_->outputs;
    chain_ = {plan::SkippedCreate(draft_)};
    return true;
  }
  state.to_delete.push_back(draft_);
  if (!plain_custom) return false;
  state.Mark(urn_, kUnchanged);
  draft_->inputs = old_->inputs;
  draft_->pending_replacement = state.WaitsForReplacement(old_);
  chain_ = {plan::Same(old_, draft_)};
  return true;
}

Task<Status> Registration::ResolveProvider() {
  if (!goal_->custom || is_provider()) co_return Status();
  const std::string reference = goal_->provider;
  auto parsed = ProviderReference::Parse(reference);
  if (!parsed.ok()) {
    parts_.report.Error(urn_, "bad provider reference '" + reference + "' for resource '" + urn_.str() +
                                  "': " + parsed.status().message());
    co_return Status::Bail();
  }
  const std::string denied = DeniedPackage(reference);
  if (!denied.empty()) {
    parts_.report.Error(
        urn_, "Default provider for '" + denied + "' disabled. '" + urn_.str() + "' must use an explicit provider.");
    co_return Status::Bail();
  }
  provider_ = parts_.providers.Get(reference);
  if (provider_) co_return Status();
  StatePtr recorded = parts_.state.Old(parsed->urn);
  if (!recorded || recorded->id != parsed->id) {
    parts_.report.Error(urn_, "unknown provider '" + reference + "' for resource '" + urn_.str() + "'");
    co_return Status::Bail();
  }
  KP_CO_TRY(
      (co_await parts_.providers.Ensure(reference)).Wrap("load provider " + reference + " for resource " + urn_.str()));
  registrar_.QueueUntargetedSame(recorded->urn);
  provider_ = parts_.providers.Get(reference);
  co_return Status();
}

Task<Status> Registration::Import() {
  if (parts_.constraint) {
    if (auto planned = parts_.constraint->Seed(urn_)) seed_ = *planned;
  }
  if (seed_.empty()) seed_ = parts_.operation.environment.random_bytes(32);
  if (!goal_->custom || goal_->import_id.empty()) co_return Status();
  if (old_ && !old_->external) {
    const std::string& known = old_->import_id.empty() ? old_->id : old_->import_id;
    if (known == goal_->import_id) co_return Status();
  }
  if (parts_.plan_builder) {
    const PropertyMap none;
    parts_.plan_builder->SetGoal(urn_, seed_, none, none, *goal_);
  }
  parts_.state.Mark(urn_, kImported);
  plan::Chain chain;
  if (old_ && !deleted_) {
    chain = {plan::ImportReplacement(old_, draft_), plan::Replace(old_, draft_)};
  } else {
    chain = {plan::Import(draft_)};
  }
  Registered registered;
  registered.state = draft_;
  const bool answered = co_await registrar_.RunChain(std::move(chain), &registered);
  if (!answered) {
    stopped_ = true;
    co_return Status::Bail("the import failed");
  }
  if (registered.outcome != RegisterOutcome::kSuccess) {
    answer_ = registered;
    co_return Status();
  }
  old_ = registered.state;
  draft_ = plan::NewState(*goal_, urn_, old_, alias_);
  draft_->replacement_trigger = Value();
  imported_ = true;
  co_return Status();
}

bool Registration::StartsAfresh() const {
  return !old_ || was_external_ || deleted_ || parts_.state.IsForcedReplace(urn_, old_);
}

Task<Result<CheckResponse>> Registration::CallCheck(PropertyMap old_inputs, PropertyMap new_inputs) {
  CheckRequest request;
  request.urn = urn_;
  request.name = urn_.name();
  request.type = urn_.type();
  request.old_inputs = std::move(old_inputs);
  request.new_inputs = std::move(new_inputs);
  request.random_seed = seed_;
  request.autonaming = autonaming_;
  request.allow_unknowns = is_preview();
  if (is_provider()) return parts_.providers.Check(std::move(request));
  return provider_->Check(std::move(request));
}

bool Registration::ReportCheckFailures(const std::vector<CheckFailure>& failures) {
  for (const CheckFailure& failure : failures) parts_.report.Error(urn_, CheckFailureText(*draft_, failure));
  return !failures.empty();
}

Task<Status> Registration::Check() {
  was_external_ = old_ && old_->external;
  PropertyMap inputs = draft_->inputs;
  if (old_) inputs = IgnoreChanges(urn_, inputs, old_->inputs, goal_->ignore_changes, parts_.report);
  if (!goal_->custom && !goal_->ignore_changes.empty()) compared_ = inputs;
  bool named_on_purpose = false;
  if (parts_.autonamer && goal_->custom) {
    auto proposal = parts_.autonamer->ForResource(urn_, seed_);
    autonaming_ = proposal.options;
    named_on_purpose = proposal.warn_if_unsupported;
    if (proposal.delete_before_replace) goal_->delete_before_replace = true;
  }
  // What had to go for the sake of another has to come back; its old inputs may name what went with it.
  const bool always_targeted = is_provider() || urn_.qualified_type() == kRootStackType || deleted_;
  targeted_ = always_targeted || parts_.state.IsIncluded(*draft_);
  if (goal_->custom && !targeted_) {
    draft_->inputs = old_ ? old_->inputs : PropertyMap();
  } else if (goal_->custom) {
    if (named_on_purpose && !is_provider() && !provider_->features().supports_autonaming) {
      parts_.report.Warning(urn_, urn_.str() + kNoAutonaming);
    }
    const bool afresh = StartsAfresh();
    PropertyMap before = afresh ? PropertyMap() : old_->inputs;
    PropertyMap asked = afresh ? goal_->inputs : inputs;
    Result<CheckResponse> checked = co_await CallCheck(std::move(before), std::move(asked));
    if (!checked.ok()) co_return checked.status();
    if (ReportCheckFailures(checked->failures)) invalid_ = true;
    draft_->inputs = checked->inputs;
  } else {
    draft_->inputs = inputs;
  }
  if (targeted_ && parts_.state.targets.constrained()) {
    for (const plan::DependencyRef& ref : plan::AllDependencies(*draft_)) registrar_.QueueUntargetedSame(ref.urn);
  }
  co_return Status();
}

Status Registration::HoldToPlan() {
  if (invalid_) return Status();
  const PropertyMap old_inputs = StartsAfresh() ? PropertyMap() : old_->inputs;
  if (parts_.plan_builder) parts_.plan_builder->SetGoal(urn_, seed_, old_inputs, draft_->inputs, *goal_);
  if (!parts_.constraint) return Status();
  return parts_.constraint->CheckGoal(urn_, old_, old_inputs, draft_->inputs, *goal_);
}

Task<Status> Registration::ApplyPolicies() {
  if (parts_.policies.any()) {
    KP_CO_TRY(co_await parts_.policies.Remediate(draft_, goal_));
    Result<bool> broken = co_await parts_.policies.Analyze(draft_, goal_);
    if (!broken.ok()) co_return broken.status();
    breaks_policy_ = *broken;
    invalid_ = invalid_ || (breaks_policy_ && !is_preview());
  }
  if (invalid_) co_return Status::Bail("resource " + urn_.str() + " is invalid");
  co_return Status();
}

}  // namespace kingpost::engine
