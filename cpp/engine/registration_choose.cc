// SPDX-License-Identifier: Apache-2.0
// The second half of a registration: plan::Choose is asked which steps it takes, and given what only providers know;
// what was chosen becomes known to the others, and a chain.
#include "base/encoding.h"
#include "engine/registration.h"
#include "plan/chain.h"
#include "plan/diff_rules.h"
#include "plan/keep.h"
#include "plan/new_state.h"
#include "providers/provider_diff.h"

namespace kingpost::engine {

plan::Candidate Registration::CandidateOf(const Judged& judged, bool imported) const {
  plan::Candidate candidate{*goal_, old_, *draft_};
  candidate.included = judged.is_included;
  candidate.remediated = judged.remediated;
  candidate.imported = imported;
  candidate.preview = is_preview();
  candidate.legacy_diff = parts_.operation.options.legacy_diff;
  return candidate;
}

plan::Chain Registration::ChainOf(const plan::Decision& decision) const {
  plan::ChainParts parts{old_, draft_, *goal_};
  return plan::ChainFor(decision, parts, rows());
}

// What a provider has to be asked, and the checks of a replacement, are waited for without the turn; what is chosen in
// the end is chosen and made known in one go.
Task<Result<Registration::Chosen>> Registration::Choose(Judged judged, bool imported) {
  Turns::Turn turn = co_await parts_.turns.Take(old_, judged.is_included);
  if (turn.went_first && !judged.is_included) {
    // It was to stay as it was, and then something condemned it.
    Result<Judged> again = co_await Judge(/*is_matched=*/true, /*went_first=*/true);
    if (!again.ok()) co_return again.status();
    judged = std::move(*again);
  }
  if (!turn.went_first && !(old_ && old_->external)) parts_.run.selection().Grow(*draft_, judged.is_included);
  plan::Answers answers;
  bool has_turn = true, is_prepared = false;
  while (true) {
    const plan::Candidate candidate = CandidateOf(judged, imported);
    const Result<plan::Choice> choice = plan::Choose(candidate, rows(), parts_.run.selection(), answers);
    if (!choice.ok()) co_return choice.status();
    const auto* decision = std::get_if<plan::Decision>(&*choice);
    const bool prepares = decision && decision->is<plan::way::Replace>() && !is_prepared;
    if (decision && !prepares && has_turn) co_return co_await Commit(*decision, judged);
    turn.permit.Release();
    has_turn = false;
    if (prepares) {
      KP_CO_TRY(co_await PrepareReplace(*decision, judged.breaks_policy));
      is_prepared = true;
    } else if (!decision) {
      KP_CO_TRY(co_await Ask(*choice, &answers));
      continue;
    }
    turn = co_await parts_.turns.Take(old_, judged.is_included);
    has_turn = true;
  }
}

Task<Status> Registration::Ask(const plan::Choice& question, plan::Answers* answers) {
  if (const auto* about_provider = std::get_if<plan::AskProvider>(&question)) {
    const Result<bool> replaces = co_await ProviderReplaces(*about_provider);
    if (replaces.ok()) answers->provider_replaces = *replaces;
    co_return replaces.status();
  }
  Result<DiffResponse> diff = co_await Diff();
  if (diff.ok()) {
    answers->diff = std::move(*diff);
    co_return Status();
  }
  const Status failed = diff.status();
  if (!failed.detail<providers::DiffUnavailable>()) co_return failed;
  parts_.report.Warning(urn_, failed.message());
  answers->diff.emplace().changes = DiffChanges::kSome;
  co_return Status();
}

Task<Result<bool>> Registration::ProviderReplaces(plan::AskProvider question) {
  ProviderPtr provider = parts_.providers.Get(draft_->provider);
  if (!provider) {
    co_return Status(Code::kNotFound, "failed to resolve provider reference: " + Quote(draft_->provider));
  }
  const StatePtr recorded = rows().OldProvider(question.recorded);
  const plan::Row* row = rows().Find(question.wanted.urn);
  const StatePtr wanted = row && row->is_claimed() ? row->now() : nullptr;
  if (!recorded || !wanted) co_return true;
  auto request = providers::RequestAbout<DiffRequest>(*wanted);
  request.urn = question.wanted.urn;
  request.name = request.urn.name();
  request.id = question.wanted.id;
  request.old_inputs = naming::PluginConfig(recorded->inputs);
  request.old_outputs = recorded->outputs;
  request.new_inputs = naming::PluginConfig(wanted->inputs);
  const Result<DiffResponse> diff = co_await provider->DiffConfig(std::move(request));
  if (!diff.ok()) co_return diff.status();
  co_return plan::WantsReplace(*diff);
}

Task<Result<DiffResponse>> Registration::Diff() {
  auto request = providers::RequestAbout<DiffRequest>(*draft_);
  request.id = old_->id;
  request.old_inputs = old_->inputs;
  request.old_outputs = old_->outputs;
  request.new_inputs = draft_->inputs;
  request.ignore_changes = goal_->ignore_changes;
  request.allow_unknowns = is_preview();
  if (!is_provider()) co_return co_await providers::DiffWithProvider(*provider_, std::move(request), parts_.report);
  Result<DiffResponse> answer = co_await parts_.providers.Diff(std::move(request));
  if (!answer.ok()) co_return answer;
  co_return providers::ResolveUnknownDiff(std::move(*answer), urn_, old_->inputs, draft_->inputs, goal_->ignore_changes,
                                          parts_.report);
}

Task<Result<Registration::Chosen>> Registration::Commit(plan::Decision decision, const Judged& judged) {
  if (const auto* refused = decision.is<plan::way::Refuse>()) {
    if (!refused->is_told_as_error) co_return Status(Code::kFailedPrecondition, refused->text);
    parts_.report.Refuse(urn_, refused->text);
    co_return Status::Bail(refused->text);
  }
  const bool compares =
      decision.is<plan::way::Same>() || decision.is<plan::way::Update>() || decision.is<plan::way::Replace>();
  if (compares && judged.compared && DeepEqual(*judged.compared, draft_->inputs)) draft_->inputs = goal_->inputs;
  if (decision.is<plan::way::Keep>() || decision.is<plan::way::AnswerRecorded>()) co_return CommitKeep(decision);
  if (decision.is<plan::way::Same>()) co_return CommitSame(decision);
  if (const auto* replace = decision.is<plan::way::Replace>(); replace && replace->delete_first) {
    co_return co_await CommitDeleteFirst(decision);
  }
  if (decision.is<plan::way::Recreate>()) {
    rows().Spare(old_->urn);
    rows().Decide(urn_, plan::Fate::kReplaced, decision.because);
  } else if (decision.is<plan::way::Create>() || decision.is<plan::way::TakeOver>()) {
    rows().Decide(urn_, plan::Fate::kCreated, decision.because);
  } else if (decision.is<plan::way::SkipCreate>()) {
    rows().Decide(urn_, plan::Fate::kUnchanged, decision.because);
    rows().SkipCreate(urn_);
  } else if (decision.is<plan::way::Update>()) {
    rows().Decide(urn_, plan::Fate::kUpdated, decision.because);
  }
  Chosen chosen;
  chosen.chain = ChainOf(decision);
  co_return chosen;
}

// What stays as recorded, with what it stands on; nothing if that has been done for the sake of another.
Result<Registration::Chosen> Registration::CommitKeep(const plan::Decision& decision) {
  Chosen chosen;
  if (decision.is<plan::way::AnswerRecorded>()) {
    chosen.answer = Registered{old_, RegisterOutcome::kSuccess, false};
    return chosen;
  }
  const bool is_configured = parts_.providers.Get(old_->provider) != nullptr;
  KP_TRY(plan::MayBeKept(old_, urn_, is_configured, rows()));
  const Result<std::vector<StatePtr>> kept = plan::KeptTogether(old_, urn_, rows());
  if (!kept.ok()) return kept.status();
  for (const StatePtr& state : *kept) {
    const bool is_self = state == old_;
    plan::ReasonPtr because =
        is_self ? decision.because : plan::Because(plan::Rule::kKeptForDependent, {}, urn_, decision.because);
    rows().Keep(is_self ? urn_ : state->urn, because);
    chosen.chain.push_back(plan::UntargetedSame(state));
    chosen.chain.back()->because = std::move(because);
  }
  return chosen;
}

Registration::Chosen Registration::CommitSame(const plan::Decision& decision) {
  rows().Decide(urn_, plan::Fate::kUnchanged, decision.because);
  plan::ShareEqual(*old_, draft_.get(), goal_.get());
  Chosen chosen;
  chosen.chain = ChainOf(decision);
  for (plan::StepPtr& view : parts_.views.Sames(old_->urn)) {
    view->because = plan::Because(plan::Rule::kBelongsToOwner, {}, urn_, decision.because);
    rows().Decide(view->urn(), plan::Fate::kUnchanged, view->because);
    chosen.chain.push_back(std::move(view));
  }
  return chosen;
}

}  // namespace kingpost::engine
