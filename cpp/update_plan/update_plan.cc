// SPDX-License-Identifier: Apache-2.0
// The two ends of a plan: a preview collects one, an update is held to it.
#include "update_plan/update_plan.h"

#include <algorithm>

#include "update_plan/planned_resource.h"

namespace kingpost::update_plan {

namespace {

Status NotAllowed(StepOp op, const std::string& why) {
  return Status(Code::kFailedPrecondition, std::string(StepOpName(op)) + " is not allowed by the plan: " + why);
}

Status NotDeleted() { return Status(Code::kFailedPrecondition, "resource unexpectedly not deleted"); }

}  // namespace

struct UpdatePlan::Impl {
  PlannedResources resources;
  bool show_secrets = false;

  const PlannedResource* Find(const Urn& urn) const {
    auto found = resources.find(urn);
    return found == resources.end() ? nullptr : &found->second;
  }
};

UpdatePlan::UpdatePlan() : impl_(std::make_unique<Impl>()) {}
UpdatePlan::~UpdatePlan() = default;
UpdatePlan::UpdatePlan(UpdatePlan&&) noexcept = default;
UpdatePlan& UpdatePlan::operator=(UpdatePlan&&) noexcept = default;

Result<UpdatePlan> UpdatePlan::Parse(std::string_view json, const DecodeOptions& options) {
  Result<PlannedResources> resources = DecodePlan(json, options);
  if (!resources.ok()) return resources.status();
  UpdatePlan plan;
  plan.impl_->resources = std::move(*resources);
  return plan;
}

void UpdatePlan::ShowSecrets(bool show) { impl_->show_secrets = show; }

std::optional<std::string> UpdatePlan::Seed(const Urn& urn) const {
  const PlannedResource* planned = impl_->Find(urn);
  if (!planned || planned->seed.empty()) return std::nullopt;
  return planned->seed;
}

Status UpdatePlan::CheckGoal(const Urn& urn, const StatePtr& old_state, const PropertyMap& old_inputs,
                             const PropertyMap& new_inputs, const Goal& goal) const {
  const PlannedResource* planned = impl_->Find(urn);
  Status status;
  if (planned) {
    status = planned->goal ? update_plan::CheckGoal(*planned->goal, old_inputs, new_inputs, goal, impl_->show_secrets)
                           : NotDeleted();
  } else if (old_state) {
    status =
        update_plan::CheckGoal(UnchangedGoal(*old_state), old_state->inputs, new_inputs, goal, impl_->show_secrets);
  }
  // A resource that is neither planned nor recorded would be created, and its step is refused.
  return status.Wrap("resource " + urn.str() + " violates plan");
}

Status UpdatePlan::CheckOutputs(const Urn& urn, const PropertyMap& old_outputs, const PropertyMap& new_outputs) const {
  const PlannedResource* planned = impl_->Find(urn);
  if (!planned) return Status(Code::kFailedPrecondition, "no plan for resource " + urn.str());
  Status status = planned->goal ? CheckDiff(old_outputs, new_outputs, planned->goal->output_diff, impl_->show_secrets)
                                : NotDeleted();
  return status.Wrap("resource violates plan");
}

Status UpdatePlan::TakeOp(const Urn& urn, StepOp op) {
  auto found = impl_->resources.find(urn);
  if (found == impl_->resources.end()) {
    if (IsAllowed(op, StepOp::kSame)) return Status();
    return NotAllowed(op, "no steps were expected for this resource");
  }
  std::vector<StepOp>& ops = found->second.ops;
  if (ops.empty()) return NotAllowed(op, "no more steps were expected for this resource");
  // Taken even if refused: what is left at the end was not so much as tried.
  const StepOp planned = ops.front();
  ops.erase(ops.begin());
  if (IsAllowed(op, planned)) return Status();
  return NotAllowed(op, std::string("this resource is constrained to ") + StepOpName(planned));
}

std::vector<std::pair<Urn, Status>> UpdatePlan::Leftovers(const std::vector<StatePtr>& base) const {
  const auto recorded = [&base](const Urn& urn) {
    return std::any_of(base.begin(), base.end(), [&urn](const StatePtr& state) { return state->urn == urn; });
  };
  std::vector<std::pair<Urn, Status>> leftovers;
  for (const auto& [urn, resource] : impl_->resources) {
    if (resource.ops.empty()) continue;
    const bool only_delete = resource.ops.size() == 1 && resource.ops[0] == StepOp::kDelete;
    if (only_delete && !recorded(urn)) continue;  // another process has deleted it
    leftovers.emplace_back(urn, Status(Code::kFailedPrecondition,
                                       "expected resource operations for " + urn.str() + " but none were seen"));
  }
  return leftovers;
}

struct PlanBuilder::Impl {
  PlanDocument document;

  PlannedResource* Find(const Urn& urn) {
    auto found = document.resources.find(urn);
    return found == document.resources.end() ? nullptr : &found->second;
  }
};

PlanBuilder::PlanBuilder(std::map<std::string, std::string> config, std::vector<std::string> config_secret_keys)
    : impl_(std::make_unique<Impl>()) {
  impl_->document.config = std::move(config);
  impl_->document.config_secret_keys.insert(config_secret_keys.begin(), config_secret_keys.end());
}
PlanBuilder::~PlanBuilder() = default;
PlanBuilder::PlanBuilder(PlanBuilder&&) noexcept = default;

bool PlanBuilder::Has(const Urn& urn) const { return impl_->Find(urn) != nullptr; }

// Operations stay: a resource that is created again has been deleted first.
void PlanBuilder::SetGoal(const Urn& urn, const std::string& seed, const PropertyMap& old_inputs,
                          const PropertyMap& new_inputs, const Goal& goal) {
  PlannedResource& resource = impl_->document.resources[urn];
  resource.seed = seed;
  resource.goal = GoalForPlan(goal, DiffForPlan(old_inputs, new_inputs));
}

void PlanBuilder::AddOp(const Urn& urn, StepOp op) { impl_->document.resources[urn].ops.push_back(op); }

void PlanBuilder::SetOutputs(const Urn& urn, const PropertyMap& outputs) {
  if (PlannedResource* resource = impl_->Find(urn)) resource->outputs = outputs;
}

void PlanBuilder::SetRegisteredOutputs(const Urn& urn, const PropertyMap& old_outputs, const PropertyMap& new_outputs) {
  PlannedResource* resource = impl_->Find(urn);
  if (!resource || !resource->goal) return;
  resource->goal->output_diff = DiffForPlan(old_outputs, new_outputs);
  resource->outputs = new_outputs;
}

Result<std::string> PlanBuilder::Json(const std::string& time, const EncodeOptions& options) const {
  impl_->document.time = time;
  return EncodePlan(impl_->document, options);
}

}  // namespace kingpost::update_plan
