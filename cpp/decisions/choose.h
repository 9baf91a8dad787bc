// SPDX-License-Identifier: Apache-2.0
// Which steps one registration takes (rows 3.15 to 3.34, 3.45). Pure: what only a provider knows is asked for, one
// question at a time, and Choose is called again with the answer.
#pragma once

#include <optional>
#include <variant>

#include "decisions/decision.h"
#include "decisions/provider_change.h"
#include "decisions/rows.h"
#include "decisions/selection.h"

namespace kingpost::decisions {

// One registration, checked and analysed.
struct Candidate {
  const Goal& goal;
  StatePtr old_state;                        // as recorded, refreshed or imported; null if there is none
  const State& draft;                        // what is to be, with checked inputs
  bool included = true;                      // by targets and excludes
  std::vector<std::string> remediated = {};  // top-level inputs that policies have set
  bool imported = false;                     // `old_state` is what this registration has imported
  bool preview = false;
  bool legacy_diff = false;  // PULUMI_ENABLE_LEGACY_DIFF
};

struct Answers {
  // Would the provider that serves it now have to replace what the recorded one made?
  std::optional<bool> provider_replaces;
  std::optional<DiffResponse> diff;
};

struct AskDiff {};
using Choice = std::variant<Decision, AskProvider, AskDiff>;

// Fails for provider references and property paths that cannot be read.
Result<Choice> Choose(const Candidate& candidate, const Rows& rows, const Selection& selection, const Answers& answers);

// By --replace, --target-replace or a mark in the record (row 3.31), which a replacement takes away.
bool IsForced(const State& recorded, const Urn& urn, const Selection& selection);

// Whether the candidate's recorded self has gone for the sake of another in this run.
bool WasDeletedFirst(const Candidate& candidate, const Rows& rows);

// Top-level inputs that are not as they were, in order.
std::vector<std::string> DifferingInputs(const PropertyMap& before, const PropertyMap& after);

// The changed inputs, with the resource among those they come from that this run changes too, if there is one.
ReasonPtr WhyInputsChanged(const Candidate& candidate, const Rows& rows, const std::vector<std::string>& keys,
                           Rule rule);

}  // namespace kingpost::decisions
