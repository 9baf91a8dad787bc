// SPDX-License-Identifier: Apache-2.0
#include "model/broken_fields.h"

#include <optional>

namespace kingpost {

namespace {

std::string Describe(const State& state) {
  const std::string name = state.urn.empty() ? "a resource without URN" : state.urn.str();
  return state.id.empty() ? name : name + " (ID " + state.id + ")";
}

bool IsBroken(const State& state) {
  return !state.urn.valid() || state.type.empty() || (!state.custom && !state.id.empty());
}

// nullopt: not to be mended.
std::optional<State> Mended(const State& broken, std::vector<std::string>* changes) {
  State state = broken;
  if (!state.urn.valid() || state.urn.type().empty()) return std::nullopt;
  if (state.type.empty()) {
    state.type = state.urn.type();
    changes->push_back("gave " + Describe(state) + " the type of its URN");
  }
  if (!state.custom && !state.id.empty()) {
    state.custom = !state.provider.empty();
    changes->push_back((state.custom ? "made a custom resource of " : "took away the ID of the component ") +
                       Describe(state));
    if (!state.custom) state.id.clear();
  }
  return state;
}

}  // namespace

void RepairBrokenFields(Snapshot* snapshot, std::vector<std::string>* changes) {
  std::vector<StatePtr> kept;
  for (const StatePtr& state : snapshot->resources) {
    if (!IsBroken(*state)) {
      kept.push_back(state);
    } else if (auto mended = Mended(*state, changes)) {
      kept.push_back(std::make_shared<const State>(std::move(*mended)));
    } else {
      changes->push_back("dropped " + Describe(*state) +
                         ", which has no type: if it exists, delete or import it by hand");
    }
  }
  snapshot->resources = std::move(kept);
  std::vector<PendingOperation> operations;
  for (PendingOperation& operation : snapshot->pending_operations) {
    if (!IsBroken(*operation.resource)) {
      operations.push_back(std::move(operation));
    } else {
      changes->push_back("dropped the pending operation on " + Describe(*operation.resource));
    }
  }
  snapshot->pending_operations = std::move(operations);
}

}  // namespace kingpost
