// SPDX-License-Identifier: Apache-2.0
// A recorded resource, or a planned one, as a scenario file writes it: the names of the state file's fields, labels in
// the place of URNs.
#pragma once

#include "model/snapshot.h"
#include "scenarios/values.h"

namespace kingpost::scenarios {

// The fields of the state that are set.
Json StateJson(const Names& names, const State& state);
// By label. Of several states with one label, those that wait for their deletion are "LABEL deleted".
Json ResourcesJson(const Names& names, const Snapshot& snapshot);
// For each resource of a saved plan: its steps, its seed, and the fields of its goal.
Json PlanJson(const Names& names, const std::string& plan);

}  // namespace kingpost::scenarios
