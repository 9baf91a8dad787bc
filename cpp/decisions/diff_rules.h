// SPDX-License-Identifier: Apache-2.0
// The engine's own rules around a provider's Diff (rows 3.17 to 3.25).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kingpost/provider_values.h"
#include "model/resource.h"

namespace kingpost::decisions {

// True if the answer asks for a replacement: a replace kind in the detailed diff, or replace keys.
bool WantsReplace(const DiffResponse& diff);

// The engine's own comparison, for providers that answered "unknown".
DiffResponse CompareInputs(const PropertyMap& old_inputs, const PropertyMap& new_inputs);

// Promotes changes under the given paths to replacements; "#initerror" stands for recorded init errors.
Result<DiffResponse> ApplyReplaceOnChanges(DiffResponse diff, const std::vector<std::string>& paths,
                                           bool has_init_errors);

// The same in place of an answer that says nothing; any other stays as it is.
DiffResponse CompareIfUnknown(DiffResponse answer, const PropertyMap& old_inputs, const PropertyMap& new_inputs);

// The assumption if there is no diff: a change of unknown properties.
DiffResponse AssumedChange();

// The error for a trigger that is not known outside of previews; nullopt if there is none.
std::optional<std::string> UnknownTrigger(const State& draft, bool preview);

// Unknown on either side means changed; null on either side means no trigger; else deep inequality.
bool TriggersReplace(const Value& old_trigger, const Value& new_trigger);

// The diff of a refresh, asked backwards and shown forwards (row 5.14).
DiffResponse InvertDiff(DiffResponse diff);

// Old inputs with every property that depends on one of `condemned` made unknown; nullopt if none does (row 4.2).
template <class Set>
std::optional<PropertyMap> InputsWithUnknowns(const State& state, const Set& condemned) {
  bool touched = false;
  PropertyMap inputs = state.inputs;
  for (const auto& [key, value] : state.inputs) {
    auto dependencies = state.property_dependencies.find(key);
    if (dependencies == state.property_dependencies.end()) continue;
    for (const Urn& urn : dependencies->second) {
      if (condemned.count(urn) == 0) continue;
      touched = true;
      inputs.Set(key, Value(Computed()));
      break;
    }
  }
  if (!touched) return std::nullopt;
  return inputs;
}

}  // namespace kingpost::decisions
