// SPDX-License-Identifier: Apache-2.0
// The words for stacks of a fleet: one line each, and the sum. Pure.
#pragma once

#include <string>
#include <vector>

#include "console/display/terminal.h"
#include "console/fleet/fleet_screen.h"

namespace kingpost {

// "+3 ~1 -2, 12 unchanged"; "" if there is nothing to tell.
std::string ChangesText(const std::map<std::string, int>& changes, const Painter& painter);
// "updated", "unchanged", "would change", as JSON and reports have it: one word.
const char* PhaseWord(FleetPhase phase, OperationKind kind, bool preview);
// The mark before a stack's name, two columns wide.
std::string PhaseMark(FleetPhase phase, const Painter& painter);
// "waits for network/prod and 2 more"
std::string WaitText(const std::vector<std::string>& names);
// A JSON document's word for the whole: "succeeded", "failed", "canceled".
const char* FleetResult(const std::vector<FleetOutcome>& outcomes);
// "3 updated, 9 unchanged, 1 failed, 2 skipped"
std::string FleetSummary(const std::vector<FleetOutcome>& outcomes, OperationKind kind, bool preview,
                         const Painter& painter);
// The table of all stacks and the sum. Of more stacks than a screen has lines, those that are unchanged are counted
// only.
std::string FleetTable(const FleetScreenOptions& show, const std::vector<FleetOutcome>& outcomes, int columns,
                       std::chrono::milliseconds took);
// "Previewing update of 3 stacks:"
std::string FleetTitle(const FleetScreenOptions& show);

}  // namespace kingpost
