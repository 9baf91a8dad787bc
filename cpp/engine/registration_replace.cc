// SPDX-License-Identifier: Apache-2.0
// The conditions of a replacement: whether it may happen, its inputs checked anew, and the dependents that go before it
// (docs/replacement.md).
#include <utility>

#include "decisions/chain.h"
#include "decisions/import_rules.h"
#include "decisions/policy_rules.h"
#include "decisions/preview.h"
#include "decisions/protection.h"
#include "decisions/remaking.h"
#include "engine/dependents.h"
#include "engine/registration.h"

namespace kingpost::engine {

Status Registration::CheckReplaceable(const DiffResponse& diff) const {
  if (const auto text = decisions::ProtectedFromReplacement(*old_, *draft_, parts_.operation.options.ignore_protect)) {
    parts_.report.Refuse(urn_, *text);
    if (decisions::BlocksForbiddenSteps(is_preview())) return Status::Bail(*text);
  }
  const auto text =
      decisions::ImportForbidsReplacement(*goal_, *old_, *draft_, diff, parts_.operation.options.show_secrets);
  if (!text) return Status();
  if (decisions::BlocksForbiddenSteps(is_preview())) return Status(Code::kFailedPrecondition, *text);
  parts_.report.Warning(urn_, *text);
  return Status();
}

Task<Status> Registration::PrepareReplace(const decisions::Decision& decision, bool breaks_policy) {
  const auto& replace = *decision.is<decisions::way::Replace>();
  KP_CO_TRY(CheckReplaceable(replace.diff));
  rows().Decide(urn_, decisions::RowOutcome::kReplaced, decision.because);
  if (!replace.checks_again) co_return Status();
  decisions::CheckPlan afresh;
  afresh.new_inputs = goal_->inputs;
  Result<CheckResponse> checked = co_await CallCheck(std::move(afresh));
  if (!checked.ok()) co_return checked.status();
  if (ReportCheckFailures(*checked)) co_return Status::Bail("resource " + urn_.str() + " has check errors");
  PropertyMap analyzed = std::exchange(draft_->inputs, checked->inputs);
  co_return co_await ApplyPoliciesAgain(std::move(analyzed), breaks_policy);
}

// Remediations by policies stay, and a forbidden replacement is not made; Pulumi makes the replacement without them.
Task<Status> Registration::ApplyPoliciesAgain(PropertyMap analyzed, bool breaks_policy) {
  if (!parts_.policies.any()) co_return Status();
  KP_CO_TRY(co_await parts_.policies.Remediate(draft_, /*tells=*/false));
  if (breaks_policy || DeepEqual(analyzed, draft_->inputs)) co_return Status();
  const Result<bool> broken = co_await parts_.policies.Analyze(draft_, /*tells_all=*/false);
  if (!broken.ok()) co_return broken.status();
  co_return decisions::StopsForPolicies(*broken, is_preview()) ? Status::Bail("resource " + urn_.str() + " is invalid")
                                                               : Status();
}

Task<Result<Registration::ChosenSteps>> Registration::CommitDeleteFirst(const decisions::Decision& decision) {
  decisions::Condemning condemning(rows(), old_, decision.because);
  KP_CO_TRY(co_await AskProviders(&condemning, parts_.providers, parts_.report));
  condemning.AddNamed();
  const std::vector<decisions::Condemned>& condemned = condemning.condemned();
  std::vector<StatePtr> going = {old_};
  for (const decisions::Condemned& one : condemned) going.push_back(one.state);
  for (const StatePtr& state : going) {
    const Status ensured = co_await parts_.providers.EnsureFor(state);
    if (!ensured.ok()) co_return ensured.Wrap("could not load provider for resource " + state->urn.str());
  }
  KP_CO_TRY(CheckProtected(condemned));

  // Another replacement of this run may have condemned some of the dependents already.
  ChosenSteps chosen;
  chosen.after = decisions::AlreadyCondemned(old_, rows());
  decisions::ChainParts parts{old_, draft_, *goal_, &condemned};
  chosen.chain = decisions::ChainFor(decision, parts, rows());
  for (const decisions::Condemned& one : condemned) {
    if (rows().IsDeletedFirst(one.state)) continue;
    rows().MarkDeletedFirst(one.state, one.keys, one.because);
    parts_.choices.Leaves(one.state);
  }
  if (!decisions::IsPendingReplacement(old_, rows())) rows().Delete(old_->urn);
  co_return chosen;
}

Status Registration::CheckProtected(const std::vector<decisions::Condemned>& condemned) const {
  const auto text = decisions::ProtectedDependent(urn_, condemned, rows(), parts_.operation.options.ignore_protect);
  if (!text) return Status();
  parts_.report.Refuse(urn_, *text);
  return Status::Bail(*text);
}

}  // namespace kingpost::engine
