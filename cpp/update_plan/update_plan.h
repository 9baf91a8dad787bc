// SPDX-License-Identifier: Apache-2.0
// Update plans: what a preview promised, and the check that an update keeps it (row 3.42).
//
// The JSON is the reference's DeploymentPlanV1: per URN the goal (with differences of inputs and outputs), the
// operations still to come, the outputs and the seed. Unknown values in a plan match anything.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kingpost/event.h"
#include "model/deployment_json.h"
#include "model/resource.h"

namespace kingpost::update_plan {

// Constrains an update. Operations are consumed as steps are made.
class UpdatePlan {
 public:
  UpdatePlan();
  ~UpdatePlan();
  UpdatePlan(UpdatePlan&&) noexcept;
  UpdatePlan& operator=(UpdatePlan&&) noexcept;
  // Fails with the position in the document, or the plan's version.
  static Result<UpdatePlan> Parse(std::string_view json, const DecodeOptions& options);
  // In the texts of violations.
  void ShowSecrets(bool show);

  std::optional<std::string> Seed(const Urn& urn) const;  // 32 bytes
  // "resource %s violates plan: ..."
  Status CheckGoal(const Urn& urn, const StatePtr& old_state, const PropertyMap& old_inputs,
                   const PropertyMap& new_inputs, const Goal& goal) const;
  Status CheckOutputs(const Urn& urn, const PropertyMap& old_outputs, const PropertyMap& new_outputs) const;
  // Takes the next planned operation and checks that `op` is allowed by it.
  Status TakeOp(const Urn& urn, StepOp op);
  // At the end: one sentence for each URN with operations that did not happen. `exists`: URNs of the base.
  std::vector<std::pair<Urn, Status>> Leftovers(const std::vector<StatePtr>& base) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Collects a plan while a preview runs.
class PlanBuilder {
 public:
  explicit PlanBuilder(std::map<std::string, std::string> config, std::vector<std::string> config_secret_keys);
  ~PlanBuilder();
  PlanBuilder(PlanBuilder&&) noexcept;

  bool Has(const Urn& urn) const;
  void SetGoal(const Urn& urn, const std::string& seed, const PropertyMap& old_inputs, const PropertyMap& new_inputs,
               const Goal& goal);
  // Makes an entry without a goal if there is none.
  void AddOp(const Urn& urn, StepOp op);
  void SetOutputs(const Urn& urn, const PropertyMap& outputs);
  // Outputs that were registered: also the difference to the old ones.
  void SetRegisteredOutputs(const Urn& urn, const PropertyMap& old_outputs, const PropertyMap& new_outputs);
  // The document, indented. Secrets, of the config also with show_secrets, are encrypted with options.secrets.
  Result<std::string> Json(const std::string& time, const EncodeOptions& options) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kingpost::update_plan
