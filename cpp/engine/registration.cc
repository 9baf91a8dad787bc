// SPDX-License-Identifier: Apache-2.0
#include "engine/registration.h"

#include "decisions/check_rules.h"
#include "decisions/dependency_refs.h"
#include "decisions/failures.h"
#include "decisions/import_rules.h"
#include "decisions/keep.h"
#include "decisions/migration_scope.h"
#include "decisions/new_state.h"
#include "decisions/policy_rules.h"
#include "decisions/provider_choice.h"
#include "decisions/refresh_rules.h"
#include "decisions/requests.h"
#include "decisions/secret_outputs.h"
#include "engine/providers/extension.h"
#include "engine/providers/provider_diff.h"
#include "engine/state_migration.h"

namespace kingpost::engine {

namespace {

constexpr char kNoAutonaming[] =
    " resource has a custom autonaming setting but the provider does not support autonaming configuration, consider "
    "upgrading to a newer version";

}  // namespace

Task<Result<ResourceAnswer>> Registration::Run() {
  Result<ChosenSteps> chosen = co_await ChooseSteps();
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
  goal_->inputs = PropertyMap();  // the draft holds what was made of them, and the provider may take its time
  const bool answered = co_await parts_.chains.Run(std::move(chosen->chain), &registered, std::move(chosen->after));
  if (!answered) co_return Status::Bail("the run was stopped").With(RunStopped{});
  co_return registered;
}

Task<Result<Registration::ChosenSteps>> Registration::ChooseSteps() {
  KP_CO_TRY(Claim());
  if (extension_) KP_CO_TRY(co_await Extend());
  if (!state_migrations_.empty()) KP_CO_TRY(co_await Migrate());
  const bool is_matched = Match();
  KP_CO_TRY(co_await RefreshInline());
  if (std::optional<ChosenSteps> by_mode = AnswerByMode()) co_return std::move(*by_mode);
  bool was_deleted_first = false;
  {
    const ChoiceQueue::Turn turn = co_await parts_.choices.Take(old_, /*takes_part=*/true);
    was_deleted_first = turn.was_deleted_first;
  }
  if (decisions::DependsOnFailed(*draft_, rows())) co_return co_await Skip();
  if (decisions::IsLeftOutWithOwner(*draft_, old_, rows(), parts_.run.selection())) co_return LeaveOutWithOwner();
  KP_CO_TRY(co_await ResolveProvider(was_deleted_first));
  ChosenSteps chosen;
  ResourceAnswer answer;
  const Result<ImportOutcome> imported = co_await Import(was_deleted_first, &answer);
  if (!imported.ok()) co_return imported.status();
  if (*imported == ImportOutcome::kAnswered) {
    chosen.answer = answer;
    co_return chosen;
  }
  const bool was_imported = *imported == ImportOutcome::kDone;
  Result<PolicyOutcome> judged = co_await Judge(is_matched, was_deleted_first);
  if (!judged.ok()) co_return judged.status();
  co_return co_await Choose(std::move(*judged), was_imported);
}

bool Registration::StartsAfresh(bool was_deleted_first) const {
  return decisions::StartsAfresh(old_, urn_, was_deleted_first, parts_.run.selection());
}

Status Registration::Stopped(const char* what) const {
  Status stopped = Status::Bail(what);
  return parts_.executor.stopped() ? stopped.With(RunStopped{}) : stopped;
}

Status Registration::Claim() {
  rows().migrations().Follow(goal_.get());
  const Result<Urn> claimed = parts_.identity.Claim(*goal_, goal_->name);
  if (claimed.ok()) urn_ = *claimed;
  return claimed.status();
}

Task<Status> Registration::Extend() {
  KP_CO_TRY(co_await parts_.providers.Extend(goal_->provider, goal_->extension_ref, *extension_));
  co_return co_await parts_.recording.Extension(goal_->extension_ref, providers::ExtensionJson(*extension_));
}

// Where nothing is recorded there is nothing to wait for.
Task<Status> Registration::Migrate() {
  const Operation& operation = parts_.operation;
  if (!decisions::MigratesStates(parts_.mode)) co_return Status();
  if (!decisions::PriorRoot(operation.stack, operation.project, urn_, *goal_, rows())) co_return Status();
  auto holding = parts_.standstill.Hold();
  const RequestBarrier::ExclusiveAccess alone = co_await std::move(holding);
  if (parts_.executor.stopped()) co_return Stopped("the run was stopped");
  KP_CO_TRY(co_await MigrateStates(parts_, urn_, goal_, state_migrations_));
  rows().migrations().Follow(goal_.get());
  co_return Status();
}

bool Registration::Match() {
  OldResource found = parts_.identity.FindOld(urn_, goal_->parent, goal_->type, goal_->name, goal_->aliases);
  old_ = std::move(found.state);
  alias_ = found.alias;
  parts_.choices.SetUndecided(recorded_urn());
  rows().NoteDeleteBeforeReplace(urn_, goal_->delete_before_replace);
  draft_ = decisions::NewState(*goal_, urn_, old_, alias_);
  return !found.clash;
}

Task<Status> Registration::RefreshInline() {
  const auto wanted = decisions::RefreshOf(*goal_, urn_, old_, parts_.refresh_time, rows(), parts_.run.selection());
  if (!wanted.ok()) co_return wanted.status();
  if (*wanted == decisions::InlineRefresh::kNone) co_return Status();
  rows().BeginRefresh(urn_);
  if (*wanted == decisions::InlineRefresh::kAnnounced) co_return co_await AnnounceRefresh();
  co_return co_await ReadInline();
}

// Components and providers have nothing to be read, and go on as they were; that their turn came is told all the same.
// What has become a secret since is sealed.
Task<Status> Registration::AnnounceRefresh() {
  decisions::StepPtr step = decisions::Refresh(old_);
  step->refresh = decisions::RefreshKind::kAnnounced;
  step->new_state->urn = urn_;
  decisions::MarkSecretOutputs(step->new_state.get());
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
  if (decisions::ComparesWithProgram(*step, parts_.mode, rows())) {
    Result<std::optional<PropertyMap>> wanted = co_await CheckForRefresh();
    if (!wanted.ok()) co_return wanted.status();
    step->wanted_inputs = std::move(*wanted);
  }
  decisions::Chain chain = {step};
  const Executor::ChainResult result = co_await parts_.executor.Run(chain);
  if (result.outcome != Executor::Outcome::kDone) co_return Stopped("the refresh of the resource failed");
  rows().EndRefresh(old_, result.state);
  old_ = result.state;
  if (old_) decisions::CarryRefreshedFields(*old_, draft_.get());
  co_return Status();
}

// The inputs that the program wants now. If these are unknown, or the provider refuses them, the refresh compares
// with the last inputs. A refresh changes nothing, so the next update will refuse a wrong input.
Task<Result<std::optional<PropertyMap>>> Registration::CheckForRefresh() {
  provider_ = parts_.providers.Get(draft_->provider);
  if (!provider_ || ContainsUnknowns(draft_->inputs)) co_return std::optional<PropertyMap>();
  if (seed_.empty()) seed_ = parts_.operation.environment.random_bytes(32);
  (void)ProposeName();
  PropertyMap ignoring =
      providers::IgnoreChanges(urn_, draft_->inputs, old_->inputs, goal_->ignore_changes, parts_.report);
  Result<CheckResponse> answer = co_await CallCheck(
      decisions::PlanCheck(*goal_, old_, std::move(ignoring), /*takes_part=*/true, /*starts_afresh=*/false));
  if (!answer.ok()) co_return answer.status();
  if (!answer->failures.empty()) co_return std::optional<PropertyMap>();
  co_return std::optional<PropertyMap>(std::move(answer->inputs));
}

std::optional<Registration::ChosenSteps> Registration::AnswerByMode() {
  const auto decision = decisions::ChooseByMode(parts_.mode, *goal_, old_, *draft_, rows());
  if (decisions::IsDeletedAtEnd(parts_.mode, decision)) rows().DeleteAtEnd(draft_);
  if (!decision) return std::nullopt;
  ChosenSteps chosen;
  if (decision->is<decisions::way::AnswerRecorded>()) {
    chosen.answer = ResourceAnswer{old_, RegisterOutcome::kSuccess, false};
    return chosen;
  }
  if (decisions::IsFinalDecision(parts_.mode, *decision)) {
    rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decision->because);
  }
  if (decision->is<decisions::way::SkipCreate>()) rows().SkipCreate(urn_);
  decisions::ShapeByMode(*decision, old_, rows(), draft_.get());
  chosen.chain = ChainOf(*decision);
  return chosen;
}

// A dependency of it failed. It stays as it is, and the program learns as much of it as its provider can tell.
Task<Result<Registration::ChosenSteps>> Registration::Skip() {
  rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decisions::WhySkipped(*draft_, rows()));
  rows().Fail(urn_);
  KP_CO_TRY(parts_.gate.CheckAgainstPlan({decisions::PlanStepForSkipped(old_, draft_)}, /*unregistered=*/false));
  ResourceAnswer answer{draft_, RegisterOutcome::kSkip, true};
  const decisions::StepPtr preview = decisions::PreviewOfSkipped(old_, *draft_, *goal_);
  std::optional<PropertyMap> foreseen;
  if (preview) foreseen = co_await parts_.executor.Predict(preview);
  if (parts_.executor.stopped()) co_return Stopped("the run was stopped");
  draft_->outputs = foreseen ? std::move(*foreseen) : PropertyMap();
  decisions::MarkSecretOutputs(draft_.get());
  ChosenSteps chosen;
  chosen.answer = std::move(answer);
  co_return chosen;
}

// Its plugin is not even started, because no resource needs the configuration yet.
Result<Registration::ChosenSteps> Registration::LeaveOutWithOwner() {
  const decisions::Decision decision{decisions::way::SkipCreate(), parts_.run.selection().WhyLeftOut()};
  parts_.providers.LeaveOut(urn_, draft_->inputs);
  KP_TRY(CheckAgainstPlan(/*starts_afresh=*/true));
  rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decision.because);
  rows().SkipCreate(urn_);
  ChosenSteps chosen;
  chosen.chain = ChainOf(decision);
  return chosen;
}

Task<Status> Registration::ResolveProvider(bool was_deleted_first) {
  if (!goal_->custom || is_provider()) co_return Status();
  const std::string reference = goal_->provider;
  const auto refused = [&](const std::string& text) {
    parts_.report.Error(urn_, text);
    return Status::Bail();
  };
  if (const auto wrong = decisions::WrongReference(reference, urn_)) co_return refused(*wrong);
  provider_ = parts_.providers.Get(reference);
  if (provider_) co_return Status();
  if (const Urn left_out = decisions::LeftOutProvider(*draft_, rows()); !left_out.empty()) {
    const decisions::Selection& selection = parts_.run.selection();
    if (!selection.TakesPart(*draft_, was_deleted_first))
      co_return Status();  // it stays as it is, or is left out as well
    const auto refusal = selection.RefusalFor(urn_, left_out);
    co_return refused(refusal ? *refusal : decisions::UnknownProviderText(reference, urn_));
  }
  const StatePtr recorded = decisions::RecordedProvider(reference, rows());
  if (!recorded) co_return refused(decisions::UnknownProviderText(reference, urn_));
  const Status ensured = co_await parts_.providers.Ensure(reference);
  if (!ensured.ok()) co_return ensured.Wrap("load provider " + reference + " for resource " + urn_.str());
  parts_.gate.KeepForTarget(recorded->urn);
  provider_ = parts_.providers.Get(reference);
  co_return Status();
}

Task<Result<Registration::ImportOutcome>> Registration::Import(bool was_deleted_first, ResourceAnswer* answer) {
  if (parts_.constraint) {
    if (auto planned = parts_.constraint->Seed(urn_)) seed_ = *planned;
  }
  if (seed_.empty()) seed_ = parts_.operation.environment.random_bytes(32);
  if (!decisions::LeftOutProvider(*draft_, rows()).empty()) co_return ImportOutcome::kNotRequested;
  const auto decision = decisions::ChooseImport(*goal_, old_, was_deleted_first);
  if (!decision) co_return ImportOutcome::kNotRequested;
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
    *answer = std::move(registered);
    co_return ImportOutcome::kAnswered;
  }
  old_ = registered.state;
  draft_ = decisions::NewState(*goal_, urn_, old_, alias_);
  draft_->replacement_trigger = Value();
  co_return ImportOutcome::kDone;
}

// Decides what to make, and whether it may be made.
Task<Result<Registration::PolicyOutcome>> Registration::Judge(bool is_matched, bool was_deleted_first) {
  Result<CheckOutcome> checked = co_await Check(was_deleted_first);
  if (!checked.ok()) co_return checked.status();
  bool is_valid = is_matched && !checked->failed;
  if (is_valid) KP_CO_TRY(CheckAgainstPlan(StartsAfresh(was_deleted_first)));
  KP_CO_TRY(co_await ApplyPolicies(&checked->judged));
  is_valid = is_valid && !decisions::StopsForPolicies(checked->judged.breaks_policy, is_preview());
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

Task<Result<Registration::CheckOutcome>> Registration::Check(bool was_deleted_first) {
  CheckOutcome checked;
  PropertyMap ignoring = draft_->inputs;
  if (old_) ignoring = providers::IgnoreChanges(urn_, ignoring, old_->inputs, goal_->ignore_changes, parts_.report);
  const bool named_on_purpose = ProposeName();
  const bool takes_part = parts_.run.selection().TakesPart(*draft_, was_deleted_first);
  checked.judged.takes_part = takes_part;
  decisions::CheckPlan plan =
      decisions::PlanCheck(*goal_, old_, std::move(ignoring), takes_part, StartsAfresh(was_deleted_first));
  if (!plan.asks) {
    draft_->inputs = std::move(plan.inputs);
  } else {
    if (named_on_purpose && !is_provider() && !provider_->features().supports_autonaming) {
      parts_.report.Warning(urn_, urn_.str() + kNoAutonaming);
    }
    Result<CheckResponse> answer = co_await CallCheck(std::move(plan));
    if (!answer.ok()) co_return answer.status();
    checked.failed = ReportCheckFailures(*answer);
    draft_->inputs = std::move(answer->inputs);
  }
  if (takes_part && parts_.run.selection().KeepsTargetDependencies()) {
    for (const decisions::DependencyRef& ref : decisions::AllDependencies(*draft_)) parts_.gate.KeepForTarget(ref.urn);
  }
  co_return checked;
}

Task<Result<CheckResponse>> Registration::CallCheck(decisions::CheckPlan plan) {
  auto request = decisions::RequestAbout<CheckRequest>(*draft_);
  request.old_inputs = std::move(plan.old_inputs);
  request.old_outputs = std::move(plan.old_outputs);
  request.new_inputs = std::move(plan.new_inputs);
  request.random_seed = seed_;
  request.autonaming = autonaming_;
  request.allow_unknowns = is_preview();
  if (is_provider()) return parts_.providers.Check(std::move(request));
  return provider_->Check(std::move(request));
}

bool Registration::ReportCheckFailures(const CheckResponse& answer) {
  for (const CheckFailure& failure : answer.failures) {
    const bool show = parts_.operation.options.show_secrets;
    parts_.report.Error(urn_, decisions::CheckFailureText(*draft_, answer.inputs, failure, show));
  }
  return !answer.failures.empty();
}

Status Registration::CheckAgainstPlan(bool starts_afresh) {
  const PropertyMap old_inputs = starts_afresh ? PropertyMap() : old_->inputs;
  if (parts_.plan_builder) parts_.plan_builder->SetGoal(urn_, seed_, old_inputs, draft_->inputs, *goal_);
  if (!parts_.constraint) return Status();
  return parts_.constraint->CheckGoal(urn_, old_, old_inputs, draft_->inputs, *goal_);
}

Task<Status> Registration::ApplyPolicies(PolicyOutcome* judged) {
  if (!parts_.policies.any()) co_return Status();
  const PropertyMap wanted = draft_->inputs;
  KP_CO_TRY(co_await parts_.policies.Remediate(draft_));
  judged->remediated = decisions::DifferingInputs(wanted, draft_->inputs);
  const Result<bool> broken = co_await parts_.policies.Analyze(draft_);
  if (broken.ok()) judged->breaks_policy = *broken;
  co_return broken.status();
}

}  // namespace kingpost::engine
