// SPDX-License-Identifier: Apache-2.0
#include "wire/view_steps.h"

#include "kingpost/event.h"
#include "pulumi/provider.pb.h"
#include "wire/convert.h"

namespace kingpost {

namespace {

std::optional<StepOp> DecodeOp(pulumirpc::ViewStep::Op op) {
  using Wire = pulumirpc::ViewStep;
  switch (op) {
    case Wire::SAME:
      return StepOp::kSame;
    case Wire::CREATE:
      return StepOp::kCreate;
    case Wire::UPDATE:
      return StepOp::kUpdate;
    case Wire::DELETE:
      return StepOp::kDelete;
    case Wire::REPLACE:
      return StepOp::kReplace;
    case Wire::CREATE_REPLACEMENT:
      return StepOp::kCreateReplacement;
    case Wire::DELETE_REPLACED:
      return StepOp::kDeleteReplaced;
    case Wire::READ:
      return StepOp::kRead;
    case Wire::READ_REPLACEMENT:
      return StepOp::kReadReplacement;
    case Wire::REFRESH:
      return StepOp::kRefresh;
    case Wire::READ_DISCARD:
      return StepOp::kDiscard;
    case Wire::DISCARD_REPLACED:
      return StepOp::kDiscardReplaced;
    case Wire::REMOVE_PENDING_REPLACE:
      return StepOp::kRemovePendingReplace;
    case Wire::IMPORT:
      return StepOp::kImport;
    case Wire::IMPORT_REPLACEMENT:
      return StepOp::kImportReplacement;
    default:
      return std::nullopt;
  }
}

Result<StatePtr> DecodeState(const pulumirpc::ViewStepState& wire) {
  WireOptions options;
  options.keep_unknowns = options.keep_secrets = options.keep_resources = true;
  auto inputs = FromStruct(wire.inputs(), options);
  if (!inputs.ok()) return inputs.status().Wrap("unmarshaling inputs");
  auto outputs = FromStruct(wire.outputs(), options);
  if (!outputs.ok()) return outputs.status().Wrap("unmarshaling outputs");
  auto state = std::make_shared<State>();
  state->type = wire.type();
  state->urn = Urn(wire.name());
  state->inputs = std::move(*inputs);
  state->outputs = std::move(*outputs);
  return StatePtr(std::move(state));
}

// Kinds we do not know count as plain updates.
PropertyDiff DecodeDiff(const pulumirpc::PropertyDiff& wire) {
  PropertyDiff diff;
  const int kind = wire.kind();
  const bool known = kind >= static_cast<int>(DiffKind::kAdd) && kind <= static_cast<int>(DiffKind::kUpdateReplace);
  diff.kind = known ? static_cast<DiffKind>(kind) : DiffKind::kUpdate;
  diff.input_diff = wire.inputdiff();
  return diff;
}

Result<ViewStep> DecodeViewStep(const pulumirpc::ViewStep& wire) {
  ViewStep step;
  const auto op = DecodeOp(wire.op());
  if (!op) return Status(Code::kUnknown, "unknown step op " + std::to_string(wire.op()));
  step.op = StepOpName(*op);
  if (wire.status() < pulumirpc::ViewStep::OK || wire.status() > pulumirpc::ViewStep::UNKNOWN) {
    return Status(Code::kUnknown, "unknown step status " + std::to_string(wire.status()));
  }
  step.outcome = static_cast<ViewStep::Outcome>(wire.status());
  step.error = wire.error();
  step.type = wire.type();
  step.name = wire.name();
  if (wire.has_old()) {
    auto state = DecodeState(wire.old());
    if (!state.ok()) return state.status();
    step.old_state = std::move(*state);
    step.old_parent_type = wire.old().parent_type();
    step.old_parent_name = wire.old().parent_name();
  }
  if (wire.has_new_()) {
    auto state = DecodeState(wire.new_());
    if (!state.ok()) return state.status();
    step.new_state = std::move(*state);
    step.new_parent_type = wire.new_().parent_type();
    step.new_parent_name = wire.new_().parent_name();
  }
  step.keys.assign(wire.keys().begin(), wire.keys().end());
  step.diffs.assign(wire.diffs().begin(), wire.diffs().end());
  step.has_detailed = wire.has_detailed_diff();
  if (step.has_detailed) {
    for (const auto& [path, diff] : wire.detailed_diff()) step.detailed[path] = DecodeDiff(diff);
  }
  return step;
}

}  // namespace

Result<std::vector<ViewStep>> DecodeViewSteps(const pulumirpc::PublishViewStepsRequest& wire) {
  std::vector<ViewStep> steps;
  for (const auto& step : wire.steps()) {
    auto decoded = DecodeViewStep(step);
    if (!decoded.ok()) return decoded.status().Wrap("unmarshaling steps");
    steps.push_back(std::move(*decoded));
  }
  return steps;
}

}  // namespace kingpost
