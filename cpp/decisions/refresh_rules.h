// SPDX-License-Identifier: Apache-2.0
// The results of a refresh and a read (rows 3.46, 5.14, 6.4). Pure.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "decisions/rows.h"
#include "decisions/run_mode.h"
#include "decisions/selection.h"
#include "kingpost/engine.h"
#include "kingpost/provider_values.h"

namespace kingpost::decisions {

// The resources that are read before the program, or without one.
enum class FirstRefresh {
  kNothing,
  kFlagged,  // what its provider asked to have read before each run, unless the operation refreshes anyhow
  kAll,
};
FirstRefresh FirstRefreshOf(const OperationOptions& options, const Rows& rows);
// These, in order, as far as targets include them.
std::vector<StatePtr> ToRefresh(const Rows& rows, const Selection& selection, bool flagged_only);

// The base after a refresh: `found` says what became of the states that were read; null: gone, and with it every
// reference to it.
std::vector<StatePtr> BaseAfterRefresh(const std::vector<StatePtr>& base,
                                       const std::map<const State*, StatePtr>& found);

// ---- the refresh of one resource (row 5.14)

// Whether its provider is asked at all: there is nothing to read of a component, of a provider, and of what was deleted
// and waits to be made again.
bool IsReadByProvider(const Step& step, const Rows& rows);
// The message about a resource that was not read. With the program, Pulumi tells what it has not compared as an update.
StepOp ResultUnread(const Step& step, bool legacy_diff);
// Whether what is found is compared with what the program wants: in a refresh that runs the program. Pulumi compares
// with the recorded inputs there, too. An update compares the program with what is recorded after its refresh.
bool ComparesWithProgram(const Step& step, RunMode mode, const Rows& rows);
// Whether the provider found it no more.
bool IsGone(const ReadResponse& read);
// Compares an external resource, and in the legacy mode any resource, by its outputs, never by its owner's inputs.
// Returns the result; nullopt if the provider is asked how the found state would have to change to fit the last
// inputs.
std::optional<StepOp> ComparedByOutputs(const State& next, const State& recorded, bool legacy_diff);
// Its answer, the other way round, is what is shown.
void ShowRefreshed(DiffResponse answer, Step* step);

// Takes over what a provider read of a recorded resource. Providers mark what is secret by its kind; that a program
// called a value so, only the record knows. Returns the outputs as found, before they are sealed.
PropertyMap TakeFound(const ReadResponse& read, const State& recorded, State* next);

}  // namespace kingpost::decisions
