// SPDX-License-Identifier: Apache-2.0
#include "engine/views.h"

#include "base/encoding.h"

namespace kingpost::engine {

StatusTarget Views::Reserve(const Urn& owner, bool refresh, bool persisted) {
  StatusTarget target;
  target.address = operation_.host->resource_status_address();
  if (target.address.empty()) return target;
  target.token = FormatUuid4(operation_.environment.random_bytes(16));
  Token token;
  token.owner = owner;
  token.refresh = refresh;
  token.persisted = persisted;
  tokens_[target.token] = std::move(token);
  token_of_[owner] = target.token;
  return target;
}

decisions::Draft Views::MakeState(const Urn& owner, const State& published) const {
  auto draft = std::make_shared<State>();
  draft->urn = run_.MakeUrn(owner, published.type, std::string(published.urn.str()));
  draft->type = published.type;
  draft->inputs = published.inputs;
  draft->outputs = published.outputs;
  draft->parent = owner;
  draft->view_of = owner;
  return draft;
}

Result<Views::PublishedStep> Views::MakeStep(const Token& token, const ViewStep& view) const {
  const auto op = ParseStepOp(view.op);
  if (!op) return Status(Code::kInvalidArgument, "unknown operation " + Quote(view.op) + " of a view step");
  PublishedStep published;
  published.step = std::make_shared<decisions::Step>();
  decisions::Step& step = *published.step;
  step.op = token.refresh ? StepOp::kRefresh : *op;
  step.refresh_result = *op;
  if (token.refresh && token.persisted) step.refresh = decisions::RefreshKind::kInProgram;
  if (view.old_state) {
    const Urn urn = MakeState(token.owner, *view.old_state)->urn;
    StatePtr recorded = run_.rows().Old(urn);
    if (!recorded || recorded->view_of != token.owner) {
      return Status(Code::kInvalidArgument, "no view " + urn.str() + " of " + token.owner.str() + " is recorded");
    }
    step.old_state = recorded;
  }
  if (view.new_state) step.new_state = MakeState(token.owner, *view.new_state);
  if (!step.old_state && !step.new_state) {
    return Status(Code::kInvalidArgument, "a view step needs an old or a new state");
  }
  step.keys = view.keys;
  step.diffs = view.diffs;
  if (view.has_detailed) step.detailed = view.detailed;
  step.replacing = *op == StepOp::kCreateReplacement || *op == StepOp::kDeleteReplaced;
  if (!view.error.empty() || view.outcome != ViewStep::Outcome::kOk) {
    published.failure = Status(Code::kInternal, view.error.empty() ? "the view's operation failed" : view.error);
    published.partial = view.outcome == ViewStep::Outcome::kPartialFailure;
  }
  return published;
}

Status Views::Publish(const std::string& token, const std::vector<ViewStep>& steps) {
  auto found = tokens_.find(token);
  if (found == tokens_.end()) return Status(Code::kNotFound, "token " + token + " not found");
  std::vector<PublishedStep> made;
  for (const ViewStep& view : steps) {
    auto step = MakeStep(found->second, view);
    if (!step.ok()) return step.status().Wrap("unmarshaling steps");
    made.push_back(std::move(*step));
  }
  for (PublishedStep& published : made) {
    if (published.step->op == StepOp::kRefresh) refreshes_[published.step->urn()] = published.step;
    report_.StepBegan(*published.step);
    found->second.steps.push_back(std::move(published));
  }
  return Status();
}

std::vector<Views::PublishedStep> Views::Release(const Urn& owner) {
  auto token = token_of_.find(owner);
  if (token == token_of_.end()) return {};
  auto found = tokens_.find(token->second);
  std::vector<PublishedStep> steps = std::move(found->second.steps);
  tokens_.erase(found);
  token_of_.erase(token);
  return steps;
}

std::vector<decisions::StepPtr> Views::AssumedDeletes(const Urn& owner) const {
  std::vector<decisions::StepPtr> steps;
  for (const StatePtr& view : run_.rows().OldViews(owner)) steps.push_back(decisions::Delete(view));
  return steps;
}

std::vector<decisions::StepPtr> Views::Sames(const Urn& owner) const {
  std::vector<decisions::StepPtr> steps;
  for (const StatePtr& view : run_.rows().OldViews(owner)) {
    steps.push_back(decisions::Same(view, std::make_shared<State>(*view)));
  }
  return steps;
}

}  // namespace kingpost::engine
