// SPDX-License-Identifier: Apache-2.0
#include "engine/chains.h"

#include "decisions/failures.h"
#include "decisions/keep.h"

namespace kingpost::engine {

void Chains::SettleDeletes(const decisions::Chain& chain, size_t completed) {
  for (size_t i = 0; i < chain.size(); ++i) {
    const decisions::Step& step = *chain[i];
    if (step.new_state) continue;
    if (i >= completed) {
      if (rows_.IsDeletedFirst(step.old_state)) {
        rows_.UndoDeletedFirst(step.old_state);
      } else {
        rows_.UndoDelete(step.urn());
      }
    }
    choices_.HasEnded(step.old_state);
  }
}

// Whom a chain waits for has begun before it, so that no two wait for each other.
Task<Executor::ChainResult> Chains::RunInOrder(decisions::Chain chain) {
  std::vector<std::shared_ptr<Event>> before;
  for (const Urn& urn : decisions::DependenciesOfSames(chain)) {
    const auto running = running_.find(rows_.CurrentUrn(urn));
    if (running != running_.end()) before.push_back(running->second);
  }
  const auto ended = std::make_shared<Event>(loop_);
  for (const decisions::StepPtr& step : chain) running_[step->urn()] = ended;
  for (const std::shared_ptr<Event>& event : before) co_await *event;
  Executor::ChainResult result = co_await executor_.Run(chain);
  for (const decisions::StepPtr& step : chain) {
    const auto own = running_.find(step->urn());
    if (own != running_.end() && own->second == ended) running_.erase(own);
  }
  ended->Set();
  co_return result;
}

Task<bool> Chains::Run(decisions::Chain chain, ResourceAnswer* registered, std::vector<StatePtr> after) {
  const Urn urn = registered->state->urn;
  bool skip = false;
  for (const StatePtr& state : after) {
    const bool gone = co_await choices_.IsGone(state);
    skip = skip || !gone;
  }
  if (skip || decisions::DependsOnFailed(chain, rows_)) {
    SettleDeletes(chain, 0);
    if (executor_.stopped()) co_return false;
    rows_.Fail(urn);
    registered->outcome = RegisterOutcome::kSkip;
    registered->unknown = true;
    co_return true;
  }
  auto running = selection_.MayLeaveOut() ? RunInOrder(chain) : executor_.Run(chain);
  Executor::ChainResult result = co_await std::move(running);
  SettleDeletes(chain, result.completed);
  switch (result.outcome) {
    case Executor::Outcome::kDone:
      if (!result.state) co_return true;
      registered->state = result.state;
      // A plan marks resources that are left out for now as unknown.
      if (plan_builder_ && !chain.back()->is_skipped_create()) {
        plan_builder_->SetOutputs(result.state->urn, result.state->outputs);
      }
      co_return true;
    case Executor::Outcome::kFailed:
    case Executor::Outcome::kAwaits:
      rows_.Fail(urn);
      registered->outcome =
          result.outcome == Executor::Outcome::kAwaits ? RegisterOutcome::kAwait : RegisterOutcome::kFail;
      // Not every failure ends the run: that of a protected resource does not.
      co_return decisions::IsAnswered(operation_.options.continue_on_error, executor_.stopped());
    case Executor::Outcome::kStopped:
      break;
  }
  co_return false;
}

}  // namespace kingpost::engine
