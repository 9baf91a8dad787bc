// SPDX-License-Identifier: Apache-2.0
#include "engine/registration.h"

#include "decisions/keep.h"
#include "decisions/new_state.h"
#include "decisions/refresh_rules.h"
#include "engine/providers/extension.h"
#include "engine/providers/provider_diff.h"

namespace kingpost::engine {

namespace {

constexpr char kNoAutonaming[] =
    " resource has a custom autonaming setting but the provider does not support autonaming configuration, consider "
    "upgrading to a newer version";

}  // namespace

Task<Result<ResourceAnswer>> Registration::Run() {
  Result<Chosen> chosen = co_await ChooseSteps();
  Status status = chosen.status();
  if (chosen.ok() && !chosen->answer) {
    parts_.gate.InsertSames(&chosen->chain);
    status = parts_.gate.Admit(chosen->chain);
  }
  parts_.choices.SetDecided(recorded_urn());
  if (!status.ok()) {
    if (chosen.ok()) parts_.chains.SettleDeletes(chosen->chain, 0);
    co_return status;
  }
  if (chosen->answer) co_return *chosen->answer;

  ResourceAnswer registered;
  registered.state = draft_;
  registered.unknown = !chosen->chain.empty() && chosen->chain.back()->is_skipped_create();
  goal_->inputs = PropertyMap();  // the draft holds what was made of them; the goal lives as long as the run
  const bool answered = co_await parts_.chains.Run(std::move(chosen->chain), &registered, std::move(chosen->after));
  if (!answered) co_return Status::Bail("the run was stopped").With(RunStopped{});
  co_return registered;
}

Task<Result<Registration::Chosen>> Registration::ChooseSteps() {
  KP_CO_TRY(Claim());
  if (extension_) KP_CO_TRY(co_await Extend());
  const bool is_matched = Match();
  KP_CO_TRY(co_await RefreshInline());
  if (std::optional<Chosen> by_mode = AnswerByMode()) co_return std::move(*by_mode);
  bool went_first = false;
  {
    const ChoiceQueue::Turn turn = co_await parts_.choices.Take(old_, /*is_included=*/true);
    went_first = turn.went_first;
  }
  KP_CO_TRY(co_await ResolveProvider());
  Chosen chosen;
  ResourceAnswer answer;
  const Result<Imported> imported = co_await Import(went_first, &answer);
  if (!imported.ok()) co_return imported.status();
  if (*imported == Imported::kAnswered) {
    chosen.answer = answer;
    co_return chosen;
  }
  const bool was_imported = *imported == Imported::kDone;
  Result<Judged> judged = co_await Judge(is_matched, went_first);
  if (!judged.ok()) co_return judged.status();
  co_return co_await Choose(std::move(*judged), was_imported);
}

Status Registration::Stopped(const char* what) const {
  Status stopped = Status::Bail(what);
  return parts_.executor.stopped() ? stopped.With(RunStopped{}) : stopped;
}

Status Registration::Claim() {
  const Result<Urn> claimed = parts_.identity.Claim(*goal_, goal_->name);
  if (claimed.ok()) urn_ = *claimed;
  return claimed.status();
}

Task<Status> Registration::Extend() {
  bool first = false;
  const Status extended = co_await parts_.providers.Extend(goal_->provider, goal_->extension_ref, *extension_, &first);
  if (!extended.ok() || !first) co_return extended;
  co_return co_await parts_.recording.Extension(goal_->extension_ref, providers::ExtensionJson(*extension_));
}

bool Registration::Match() {
  OldResource found = parts_.identity.FindOld(urn_, goal_->parent, goal_->type, goal_->name, goal_->aliases);
  old_ = std::move(found.state);
  alias_ = found.alias;
  parts_.choices.SetUndecided(recorded_urn());
  rows().Ask(urn_, goal_);
  draft_ = decisions::NewState(*goal_, urn_, old_, alias_);
  return !found.clash;
}

Task<Status> Registration::RefreshInline() {
  const bool wanted = old_ && (parts_.refresh_inline || rows().IsInDoubt(old_));
  if (!wanted || !parts_.run.selection().IsIncluded(*old_)) co_return Status();
  KP_CO_TRY(decisions::MayStillChange(urn_, rows()));  // else it is recorded already
  rows().BeginRefresh(urn_);
  if (!goal_->custom || is_provider()) co_return co_await AnnounceRefresh();
  co_return co_await ReadInline();
}

// Components and providers have nothing to be read, and go on as they were; that their turn came is told all the same.
// What has become a secret since is sealed.
Task<Status> Registration::AnnounceRefresh() {
  decisions::StepPtr step = decisions::Refresh(old_);
  step->refresh = decisions::RefreshKind::kAnnounced;
  step->new_state->urn = urn_;
  decisions::SealOutputs(step->new_state.get());
  const bool sealed = !DeepEqual(step->new_state->outputs, old_->outputs);
  decisions::Chain chain = {step};
  const Executor::ChainResult result = co_await parts_.executor.Run(chain);
  if (result.outcome != Executor::Outcome::kDone) co_return Stopped("the run was stopped");
  if (sealed) {
    rows().EndRefresh(old_, result.state);
    old_ = result.state;
  }
  co_return Status();
}

Task<Status> Registration::ReadInline() {
  KP_CO_TRY(co_await parts_.providers.EnsureFor(old_));
  decisions::StepPtr step = decisions::Refresh(old_);
  step->refresh = decisions::RefreshKind::kInProgram;
  *step->new_state = decisions::RefreshedAsRegistered(*old_, *draft_, parts_.mode, rows().WaitsForReplacement(old_));
  decisions::Chain chain = {step};
  const Executor::ChainResult result = co_await parts_.executor.Run(chain);
  if (result.outcome != Executor::Outcome::kDone) co_return Stopped("the refresh of the resource failed");
  rows().EndRefresh(old_, result.state);
  old_ = result.state;
  if (old_) {
    draft_->refresh_before_update = old_->refresh_before_update;
    draft_->modified = old_->modified;
  }
  co_return Status();
}

std::optional<Registration::Chosen> Registration::AnswerByMode() {
  const bool destroys = parts_.mode == decisions::RunMode::kDestroy;
  const auto decision = decisions::ChooseByMode(parts_.mode, *goal_, old_, *draft_, rows());
  if (!decision) {
    if (destroys) rows().DeleteAtEnd(draft_);
    return std::nullopt;
  }
  Chosen chosen;
  if (decision->is<decisions::way::AnswerRecorded>()) {
    chosen.answer = ResourceAnswer{old_, RegisterOutcome::kSuccess, false};
    return chosen;
  }
  if (decision->is<decisions::way::SkipCreate>()) {
    // What a destroy cannot know has not been decided on either: it may still go.
    if (!destroys) rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decision->because);
    rows().SkipCreate(urn_);
    if (old_) draft_->outputs = old_->outputs;
  } else {
    rows().DeleteAtEnd(draft_);
    rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decision->because);
    draft_->inputs = old_->inputs;
    draft_->pending_replacement = rows().WaitsForReplacement(old_);
  }
  chosen.chain = ChainOf(*decision);
  return chosen;
}

Task<Status> Registration::ResolveProvider() {
  if (!goal_->custom || is_provider()) co_return Status();
  const std::string reference = goal_->provider;
  const auto refused = [&](const std::string& text) {
    parts_.report.Error(urn_, text);
    return Status::Bail();
  };
  const auto parsed = ProviderReference::Parse(reference);
  if (!parsed.ok()) {
    co_return refused("bad provider reference '" + reference + "' for resource '" + urn_.str() +
                      "': " + parsed.status().message());
  }
  const std::string denied = providers::DeniedPackage(reference);
  if (!denied.empty()) {
    co_return refused("Default provider for '" + denied + "' disabled. '" + urn_.str() +
                      "' must use an explicit provider.");
  }
  provider_ = parts_.providers.Get(reference);
  if (provider_) co_return Status();
  const StatePtr recorded = rows().Old(parsed->urn);
  if (!recorded || recorded->id != parsed->id) {
    co_return refused("unknown provider '" + reference + "' for resource '" + urn_.str() + "'");
  }
  const Status ensured = co_await parts_.providers.Ensure(reference);
  if (!ensured.ok()) co_return ensured.Wrap("load provider " + reference + " for resource " + urn_.str());
  parts_.gate.Needs(recorded->urn);
  provider_ = parts_.providers.Get(reference);
  co_return Status();
}

Task<Result<Registration::Imported>> Registration::Import(bool went_first, ResourceAnswer* answer) {
  if (parts_.constraint) {
    if (auto planned = parts_.constraint->Seed(urn_)) seed_ = *planned;
  }
  if (seed_.empty()) seed_ = parts_.operation.environment.random_bytes(32);
  const auto decision = decisions::ChooseImport(*goal_, old_, went_first);
  if (!decision) co_return Imported::kNotAsked;
  if (parts_.plan_builder) {
    const PropertyMap none;
    parts_.plan_builder->SetGoal(urn_, seed_, none, none, *goal_);
  }
  ResourceAnswer registered;
  registered.state = draft_;
  decisions::Chain chain = ChainOf(*decision);
  const bool answered = co_await parts_.chains.Run(std::move(chain), &registered);
  if (!answered) co_return Status::Bail("the import failed").With(RunStopped{});
  if (registered.outcome != RegisterOutcome::kSuccess) {
    *answer = registered;
    co_return Imported::kAnswered;
  }
  old_ = registered.state;
  draft_ = decisions::NewState(*goal_, urn_, old_, alias_);
  draft_->replacement_trigger = Value();
  co_return Imported::kDone;
}

// What is to be made, and whether it may be.
Task<Result<Registration::Judged>> Registration::Judge(bool is_matched, bool went_first) {
  Result<Checked> checked = co_await Check(went_first);
  if (!checked.ok()) co_return checked.status();
  bool is_valid = is_matched && !checked->failed;
  if (is_valid) KP_CO_TRY(HoldToPlan(StartsAfresh(went_first)));
  KP_CO_TRY(co_await ApplyPolicies(&checked->judged));
  is_valid = is_valid && (is_preview() || !checked->judged.breaks_policy);
  if (!is_valid) co_return Status::Bail("resource " + urn_.str() + " is invalid");
  co_return std::move(checked->judged);
}

bool Registration::ProposeName() {
  if (!parts_.autonamer || !goal_->custom) return false;
  auto proposal = parts_.autonamer->ForResource(urn_, seed_);
  autonaming_ = proposal.options;
  if (proposal.delete_before_replace) goal_->delete_before_replace = true;
  return proposal.warn_if_unsupported;
}

Task<Result<Registration::Checked>> Registration::Check(bool went_first) {
  Checked checked;
  PropertyMap inputs = draft_->inputs;
  if (old_) inputs = providers::IgnoreChanges(urn_, inputs, old_->inputs, goal_->ignore_changes, parts_.report);
  if (!goal_->custom && !goal_->ignore_changes.empty()) checked.judged.compared = inputs;
  const bool named_on_purpose = ProposeName();
  // What had to go for the sake of another has to come back; its old inputs may name what went with it.
  const bool always_included = is_provider() || urn_.qualified_type() == kRootStackType || went_first;
  const bool is_included = always_included || parts_.run.selection().IsIncluded(*draft_);
  checked.judged.is_included = is_included;
  if (!goal_->custom) {
    draft_->inputs = inputs;
  } else if (!is_included) {
    draft_->inputs = old_ ? old_->inputs : PropertyMap();
  } else {
    if (named_on_purpose && !is_provider() && !provider_->features().supports_autonaming) {
      parts_.report.Warning(urn_, urn_.str() + kNoAutonaming);
    }
    Result<PropertyMap> answer = co_await CheckInputs(std::move(inputs), StartsAfresh(went_first), &checked.failed);
    if (!answer.ok()) co_return answer.status();
    draft_->inputs = std::move(*answer);
  }
  if (is_included && parts_.run.selection().targets().constrained()) {
    for (const decisions::DependencyRef& ref : decisions::AllDependencies(*draft_)) parts_.gate.Needs(ref.urn);
  }
  co_return checked;
}

Task<Result<PropertyMap>> Registration::CheckInputs(PropertyMap inputs, bool starts_afresh, bool* failed) {
  PropertyMap before = starts_afresh ? PropertyMap() : old_->inputs;
  PropertyMap asked = starts_afresh ? goal_->inputs : std::move(inputs);
  Result<CheckResponse> checked = co_await CallCheck(std::move(before), std::move(asked));
  if (!checked.ok()) co_return checked.status();
  *failed = ReportCheckFailures(checked->failures);
  co_return std::move(checked->inputs);
}

Task<Result<CheckResponse>> Registration::CallCheck(PropertyMap old_inputs, PropertyMap new_inputs) {
  auto request = providers::RequestAbout<CheckRequest>(*draft_);
  request.old_inputs = std::move(old_inputs);
  request.new_inputs = std::move(new_inputs);
  request.random_seed = seed_;
  request.autonaming = autonaming_;
  request.allow_unknowns = is_preview();
  if (is_provider()) return parts_.providers.Check(std::move(request));
  return provider_->Check(std::move(request));
}

bool Registration::ReportCheckFailures(const std::vector<CheckFailure>& failures) {
  for (const CheckFailure& failure : failures) parts_.report.Error(urn_, providers::CheckFailureText(*draft_, failure));
  return !failures.empty();
}

Status Registration::HoldToPlan(bool starts_afresh) {
  const PropertyMap old_inputs = starts_afresh ? PropertyMap() : old_->inputs;
  if (parts_.plan_builder) parts_.plan_builder->SetGoal(urn_, seed_, old_inputs, draft_->inputs, *goal_);
  if (!parts_.constraint) return Status();
  return parts_.constraint->CheckGoal(urn_, old_, old_inputs, draft_->inputs, *goal_);
}

Task<Status> Registration::ApplyPolicies(Judged* judged) {
  if (!parts_.policies.any()) co_return Status();
  const PropertyMap wanted = draft_->inputs;
  KP_CO_TRY(co_await parts_.policies.Remediate(draft_, goal_));
  judged->remediated = decisions::DifferingInputs(wanted, draft_->inputs);
  const Result<bool> broken = co_await parts_.policies.Analyze(draft_, goal_);
  if (broken.ok()) judged->breaks_policy = *broken;
  co_return broken.status();
}

}  // namespace kingpost::engine
