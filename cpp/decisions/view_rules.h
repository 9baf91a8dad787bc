// SPDX-License-Identifier: Apache-2.0
// Views: parts of a resource that its provider shows as resources of their own (row 3.47). They are recorded and
// displayed, and never operated on. Pure.
#pragma once

#include <functional>
#include <vector>

#include "decisions/rows.h"
#include "kingpost/monitor.h"

namespace kingpost::decisions {

// The operation on the owner that its provider tells views of.
struct ViewOwner {
  Urn urn;
  bool refresh = false;     // a read of what is recorded
  bool in_program = false;  // while the program runs
};
struct ViewOutcome {
  StepPtr step;
  Status failure;  // not ok: the provider said that this step failed
  bool partial = false;
};
// The step that a provider has published. Fails for an operation that does not exist, for an old view that is not
// recorded, and for a step without any state. `make_urn` names what is below the owner, by type and name.
Result<ViewOutcome> MakeViewStep(const ViewOwner& owner, const ViewStep& view, const Rows& rows,
                                 const std::function<Urn(const std::string& type, const std::string& name)>& make_urn);

// Those of a delete are told before their owner's step ends, all others after it.
bool ReportsViewsBeforeEnd(const Step& of_owner);

// Deletes of an owner's views that a preview assumes, and sames of what stays with an unchanged owner.
std::vector<StepPtr> AssumedViewDeletes(const Urn& owner, const Rows& rows);
std::vector<StepPtr> SameStepsOfViews(const Urn& owner, const Rows& rows);

}  // namespace kingpost::decisions
