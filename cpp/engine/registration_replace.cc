// SPDX-License-Identifier: Apache-2.0
// What a replacement takes: whether it may be, its inputs checked anew, and who goes before it (docs/replacement.md).
#include <utility>

#include "base/encoding.h"
#include "decisions/chain.h"
#include "engine/dependents.h"
#include "engine/registration.h"
#include "model/value_text.h"

namespace kingpost::engine {

Status Registration::MayBeReplaced(const DiffResponse& diff) const {
  if (draft_->protect && old_->protect && !parts_.operation.options.ignore_protect) {
    const std::string text = "unable to replace resource " + Quote(urn_.str()) +
                             "\nas it is currently marked for protection. To unprotect the resource, remove the "
                             "`protect` flag from the resource in your Pulumi program and run `pulumi up`";
    parts_.report.Refuse(urn_, text);
    if (!is_preview()) return Status::Bail(text);
  }
  if (goal_->import_id.empty()) return Status();
  std::string text =
      "previously-imported resources that still specify an ID may not be replaced; please remove the `import` "
      "declaration from your program;\n";
  for (size_t i = 0; i < diff.replaces.size(); ++i) {
    const std::string& key = diff.replaces[i];
    const Value* before = old_->inputs.Find(key);
    const Value* after = draft_->inputs.Find(key);
    text += (i > 0 ? "\n" : "") + key + ": " + ValueText(before ? *before : Value()) + " => " +
            ValueText(after ? *after : Value());
  }
  if (!is_preview()) return Status(Code::kFailedPrecondition, text);
  parts_.report.Warning(urn_, text);
  return Status();
}

Task<Status> Registration::PrepareReplace(const decisions::Decision& decision, bool breaks_policy) {
  KP_CO_TRY(MayBeReplaced(decision.is<decisions::way::Replace>()->diff));
  rows().Decide(urn_, decisions::RowOutcome::kReplaced, decision.because);
  if (!goal_->custom || is_forced()) co_return Status();
  // What is made is a new thing: its inputs are checked without the old ones, so that defaults are chosen again.
  Result<CheckResponse> checked = co_await CallCheck(PropertyMap(), goal_->inputs);
  if (!checked.ok()) co_return checked.status();
  if (ReportCheckFailures(checked->failures)) co_return Status::Bail("resource " + urn_.str() + " has check errors");
  PropertyMap analyzed = std::exchange(draft_->inputs, checked->inputs);
  co_return co_await ApplyPoliciesAgain(std::move(analyzed), breaks_policy);
}

// What policies have set right stays so, and what they forbid is not made; Pulumi makes the replacement without them.
Task<Status> Registration::ApplyPoliciesAgain(PropertyMap analyzed, bool breaks_policy) {
  if (!parts_.policies.any()) co_return Status();
  KP_CO_TRY(co_await parts_.policies.Remediate(draft_, goal_, /*tells=*/false));
  if (breaks_policy || DeepEqual(analyzed, draft_->inputs)) co_return Status();
  const Result<bool> broken = co_await parts_.policies.Analyze(draft_, goal_, /*tells_all=*/false);
  if (!broken.ok()) co_return broken.status();
  co_return *broken && !is_preview() ? Status::Bail("resource " + urn_.str() + " is invalid") : Status();
}

Task<Result<Registration::Chosen>> Registration::CommitDeleteFirst(const decisions::Decision& decision) {
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
  Chosen chosen;
  chosen.after = decisions::GoingAlready(old_, rows());
  decisions::ChainParts parts{old_, draft_, *goal_, &condemned};
  chosen.chain = decisions::ChainFor(decision, parts, rows());
  for (const decisions::Condemned& one : condemned) {
    if (rows().GoesFirst(one.state)) continue;
    rows().GoFirst(one.state, one.keys, one.because);
    parts_.choices.Leaves(one.state);
  }
  if (!rows().WaitsForReplacement(old_)) rows().Delete(old_->urn);
  co_return chosen;
}

Status Registration::CheckProtected(const std::vector<decisions::Condemned>& condemned) const {
  if (parts_.operation.options.ignore_protect) return Status();
  const decisions::Condemned* guarded = decisions::ProtectedAmong(condemned, rows());
  if (!guarded) return Status();
  const std::string& name = guarded->state->urn.str();
  const std::string text = "unable to replace resource " + Quote(name) + " as part of replacing " + Quote(urn_.str()) +
                           " as it is currently marked for protection. To unprotect the resource, remove the "
                           "`protect` flag from the resource in your Pulumi program and run `pulumi up`, or use the "
                           "command:\n`pulumi state unprotect '" +
                           name + "'`";
  parts_.report.Refuse(urn_, text);
  return Status::Bail(text);
}

}  // namespace kingpost::engine
