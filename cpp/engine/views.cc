// SPDX-License-Identifier: Apache-2.0
#include "engine/views.h"

#include "base/encoding.h"

namespace kingpost::engine {

StatusTarget Views::Reserve(const Urn& owner, bool refresh, bool in_program) {
  StatusTarget target;
  target.address = operation_.host->resource_status_address();
  if (target.address.empty()) return target;
  target.token = FormatUuid4(operation_.environment.random_bytes(16));
  Token token;
  token.owner = {owner, refresh, in_program};
  tokens_[target.token] = std::move(token);
  token_of_[owner] = target.token;
  return target;
}

Status Views::Publish(const std::string& token, const std::vector<ViewStep>& steps) {
  auto found = tokens_.find(token);
  if (found == tokens_.end()) return Status(Code::kNotFound, "token " + token + " not found");
  std::vector<decisions::ViewOutcome> made;
  const decisions::ViewOwner& owner = found->second.owner;
  const auto make_urn = [&](const std::string& type, const std::string& name) {
    return run_.MakeUrn(owner.urn, type, name);
  };
  for (const ViewStep& view : steps) {
    auto step = decisions::MakeViewStep(owner, view, run_.rows(), make_urn);
    if (!step.ok()) return step.status().Wrap("unmarshaling steps");
    made.push_back(std::move(*step));
  }
  for (decisions::ViewOutcome& published : made) {
    if (published.step->op == StepOp::kRefresh) refreshes_[published.step->urn()] = published.step;
    report_.StepBegan(*published.step);
    found->second.steps.push_back(std::move(published));
  }
  return Status();
}

std::vector<decisions::ViewOutcome> Views::Release(const Urn& owner) {
  auto token = token_of_.find(owner);
  if (token == token_of_.end()) return {};
  auto found = tokens_.find(token->second);
  std::vector<decisions::ViewOutcome> steps = std::move(found->second.steps);
  tokens_.erase(found);
  token_of_.erase(token);
  return steps;
}

}  // namespace kingpost::engine
