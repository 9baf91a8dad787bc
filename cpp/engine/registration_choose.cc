// SPDX-License-Identifier: Apache-2.0
// The second half of a registration: decisions::Choose is asked which steps it takes, and given what only providers
// know; what was chosen becomes known to the others, and a chain.
#include "base/encoding.h"
#include "decisions/chain.h"
#include "decisions/diff_rules.h"
#include "decisions/ignore_changes.h"
#include "decisions/keep.h"
#include "decisions/new_state.h"
#include "decisions/requests.h"
#include "engine/providers/provider_diff.h"
#include "engine/registration.h"

namespace kingpost::engine {

decisions::Candidate Registration::CandidateOf(const PolicyOutcome& judged, bool imported) const {
  decisions::Candidate candidate{*goal_, old_, *draft_};
  candidate.included = judged.takes_part;
  candidate.remediated = judged.remediated;
  candidate.imported = imported;
  candidate.preview = is_preview();
  candidate.legacy_diff = parts_.operation.options.legacy_diff;
  return candidate;
}

decisions::Chain Registration::ChainOf(const decisions::Decision& decision) const {
  decisions::ChainParts parts{old_, draft_, *goal_};
  return decisions::ChainFor(decision, parts, rows());
}

// Questions to a provider, and the checks of a replacement, are awaited without the turn. The choice and its
// publication happen in one go.
Task<Result<Registration::ChosenSteps>> Registration::Choose(PolicyOutcome judged, bool imported) {
  ChoiceQueue::Turn turn = co_await parts_.choices.Take(old_, judged.takes_part);
  if (turn.was_deleted_first && !judged.takes_part) {
    // It was to stay as it was, and then something condemned it.
    Result<PolicyOutcome> again = co_await Judge(/*is_matched=*/true, /*was_deleted_first=*/true);
    if (!again.ok()) co_return again.status();
    judged = std::move(*again);
  }
  if (!turn.was_deleted_first && !(old_ && old_->external)) parts_.run.selection().Grow(*draft_, judged.takes_part);
  decisions::Answers answers;
  bool has_turn = true, is_prepared = false;
  while (true) {
    const decisions::Candidate candidate = CandidateOf(judged, imported);
    const Result<decisions::Choice> choice = decisions::Choose(candidate, rows(), parts_.run.selection(), answers);
    if (!choice.ok()) co_return choice.status();
    const auto* decision = std::get_if<decisions::Decision>(&*choice);
    const bool prepares = decision && decision->is<decisions::way::Replace>() && !is_prepared;
    if (decision && !prepares && has_turn) co_return co_await Commit(*decision);
    turn.permit.Release();
    has_turn = false;
    if (prepares) {
      KP_CO_TRY(co_await PrepareReplace(*decision, judged.breaks_policy));
      is_prepared = true;
    } else if (!decision) {
      KP_CO_TRY(co_await Ask(*choice, &answers));
      continue;
    }
    turn = co_await parts_.choices.Take(old_, judged.takes_part);
    has_turn = true;
  }
}

Task<Status> Registration::Ask(const decisions::Choice& question, decisions::Answers* answers) {
  if (const auto* about_provider = std::get_if<decisions::AskProvider>(&question)) {
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
  answers->diff = decisions::AssumedChange();
  co_return Status();
}

Task<Result<bool>> Registration::ProviderReplaces(decisions::AskProvider question) {
  ProviderPtr provider = parts_.providers.Get(draft_->provider);
  if (!provider) {
    co_return Status(Code::kNotFound, "failed to resolve provider reference: " + Quote(draft_->provider));
  }
  const auto compared = decisions::FindProvidersToCompare(question, rows());
  if (!compared) co_return true;
  const auto& [recorded, wanted] = *compared;
  auto request = decisions::RequestAbout<DiffRequest>(*wanted);
  request.urn = question.wanted.urn;
  request.name = request.urn.name();
  request.id = question.wanted.id;
  request.old_inputs = PluginConfig(recorded->inputs);
  request.old_outputs = recorded->outputs;
  request.new_inputs = PluginConfig(wanted->inputs);
  const Result<DiffResponse> diff = co_await provider->DiffConfig(std::move(request));
  if (!diff.ok()) co_return diff.status();
  co_return decisions::WantsReplace(*diff);
}

Task<Result<DiffResponse>> Registration::Diff() {
  auto request = decisions::RequestAbout<DiffRequest>(*draft_);
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

Task<Result<Registration::ChosenSteps>> Registration::Commit(decisions::Decision decision) {
  if (const auto* refused = decision.is<decisions::way::Refuse>()) {
    if (!refused->is_told_as_error) co_return Status(Code::kFailedPrecondition, refused->text);
    parts_.report.Refuse(urn_, refused->text);
    co_return Status::Bail(refused->text);
  }
  if (decision.is<decisions::way::AnswerRecorded>() && is_provider()) {
    KP_CO_TRY(co_await parts_.providers.Ensure(old_->urn.str() + "::" + old_->id));
  }
  if (old_) draft_->inputs = decisions::InputsToRecord(*goal_, old_->inputs, draft_->inputs);
  if (decision.is<decisions::way::Keep>() || decision.is<decisions::way::AnswerRecorded>())
    co_return CommitKeep(decision);
  if (decision.is<decisions::way::Same>()) co_return CommitSame(decision);
  if (const auto* replace = decision.is<decisions::way::Replace>(); replace && replace->delete_first) {
    co_return co_await CommitDeleteFirst(decision);
  }
  if (decision.is<decisions::way::Recreate>()) {
    rows().UndoDelete(old_->urn);
    rows().Decide(urn_, decisions::RowOutcome::kReplaced, decision.because);
  } else if (decision.is<decisions::way::Create>() || decision.is<decisions::way::TakeOver>()) {
    rows().Decide(urn_, decisions::RowOutcome::kCreated, decision.because);
  } else if (decision.is<decisions::way::SkipCreate>()) {
    rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decision.because);
    rows().SkipCreate(urn_);
  } else if (decision.is<decisions::way::Update>()) {
    rows().Decide(urn_, decisions::RowOutcome::kUpdated, decision.because);
  }
  ChosenSteps chosen;
  chosen.chain = ChainOf(decision);
  co_return chosen;
}

// Keeps the recorded state and the states it refers to; does nothing if another registration has done that.
Result<Registration::ChosenSteps> Registration::CommitKeep(const decisions::Decision& decision) {
  ChosenSteps chosen;
  if (decision.is<decisions::way::AnswerRecorded>()) {
    chosen.answer = ResourceAnswer{old_, RegisterOutcome::kSuccess, false};
    return chosen;
  }
  const bool is_configured = parts_.providers.Get(old_->provider) != nullptr;
  KP_TRY(decisions::CheckMayBeKept(old_, urn_, is_configured, rows(), parts_.run.selection()));
  const Result<std::vector<StatePtr>> kept = decisions::StatesToKeep(old_, urn_, rows());
  if (!kept.ok()) return kept.status();
  for (const StatePtr& state : *kept) {
    const bool is_self = state == old_;
    decisions::ReasonPtr because =
        is_self ? decision.because : decisions::Because(decisions::Rule::kKeptForDependent, {}, urn_, decision.because);
    rows().Keep(is_self ? urn_ : state->urn, because);
    chosen.chain.push_back(decisions::UntargetedSame(state));
    chosen.chain.back()->because = std::move(because);
  }
  return chosen;
}

Registration::ChosenSteps Registration::CommitSame(const decisions::Decision& decision) {
  rows().Decide(urn_, decisions::RowOutcome::kUnchanged, decision.because);
  decisions::ShareEqual(*old_, draft_.get(), goal_.get());
  ChosenSteps chosen;
  chosen.chain = ChainOf(decision);
  for (decisions::StepPtr& view : decisions::SameStepsOfViews(old_->urn, rows())) {
    view->because = decisions::Because(decisions::Rule::kViewOfOwner, {}, urn_, decision.because);
    rows().Decide(view->urn(), decisions::RowOutcome::kUnchanged, view->because);
    chosen.chain.push_back(std::move(view));
  }
  return chosen;
}

}  // namespace kingpost::engine
