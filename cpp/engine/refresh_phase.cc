// SPDX-License-Identifier: Apache-2.0
#include "engine/refresh_phase.h"

#include <map>

#include "decisions/refresh_rules.h"
#include "decisions/run_mode.h"

namespace kingpost::engine {

Task<Status> RefreshPhase::MakeSteps(std::vector<StatePtr> wanted, std::vector<decisions::StepPtr>* steps) {
  for (const StatePtr& recorded : wanted) {
    const Status ensured = co_await parts_.providers.EnsureFor(recorded);
    if (!ensured.ok()) co_return ensured.Wrap("could not load provider for resource " + recorded->urn.str());
    steps->push_back(decisions::Refresh(recorded));
  }
  co_return Status();
}

Task<void> RefreshPhase::RunOne(decisions::StepPtr step) {
  decisions::Chain chain = {step};
  co_await executor_.Run(std::move(chain));
}

Task<void> RefreshPhase::RunAll(const std::vector<decisions::StepPtr>* steps) {
  Group group(parts_.loop);
  for (const decisions::StepPtr& step : *steps) group.Spawn(RunOne(step));
  co_await group.Wait();
}

void RefreshPhase::Rebuild(const std::vector<decisions::StepPtr>& steps) {
  std::map<const State*, StatePtr> found;
  for (const decisions::StepPtr& step : steps) found[step->old_state.get()] = step->new_state;
  for (const auto& [urn, step] : parts_.views.refreshes()) {
    if (step->old_state) found[step->old_state.get()] = step->new_state;
  }
  parts_.run.rows().SetBase(decisions::BaseAfterRefresh(parts_.run.rows().base(), found));
}

Task<Status> RefreshPhase::BeforeProgram(bool flagged_only) {
  if (parts_.run.rows().base().empty()) co_return Status();
  std::vector<decisions::StepPtr> steps;
  KP_CO_TRY(co_await MakeSteps(decisions::ToRefresh(parts_.run.rows(), parts_.run.selection(), flagged_only), &steps));
  executor_.set_ignore_errors(true);
  co_await RunAll(&steps);
  executor_.set_ignore_errors(false);
  Rebuild(steps);
  // The rest of the run begins with the refreshed record. Pulumi counts it as results of the run, so that stack
  // policies see what is then deleted.
  if (parts_.operation.options.kind != OperationKind::kRefresh) parts_.run.rows().ForgetPublished();
  KP_CO_TRY(co_await parts_.recording.RebuildBase(parts_.run.rows().base()));
  if (executor_.errored()) {
    co_return Status::Bail("step executor errored: " + executor_.first_error().message());
  }
  co_return Status();
}

Task<Status> RefreshPhase::AfterProgram() {
  std::vector<decisions::StepPtr> steps;
  KP_CO_TRY(co_await MakeSteps(decisions::NotRegistered(parts_.run.rows(), parts_.run.selection()), &steps));
  for (const decisions::StepPtr& step : steps) parts_.run.rows().BeginRefresh(step->urn());
  co_await RunAll(&steps);
  co_return Status();
}

}  // namespace kingpost::engine
