// SPDX-License-Identifier: Apache-2.0
// Which recorded resource a URN means, and what to say of one that means none (row 6.12).
#include <algorithm>
#include <unordered_set>

#include "base/edit_distance.h"
#include "base/text.h"
#include "decisions/state_edits.h"

namespace kingpost::decisions {

namespace {

constexpr size_t kSuggestionsMax = 3;
constexpr size_t kExchange = 2;  // of one letter for another, as Pulumi counts

std::vector<StatePtr> WithUrn(const Snapshot& snapshot, const std::string& urn) {
  std::vector<StatePtr> found;
  for (const StatePtr& state : snapshot.resources) {
    if (state->urn.str() == urn) found.push_back(state);
  }
  return found;
}

// The closest ones first; nothing that has little to do with what was asked for.
std::vector<std::string> Similar(const Snapshot& snapshot, const std::string& urn, bool live) {
  const size_t distance_max = std::max<size_t>(2, urn.size() / 4);
  std::unordered_set<std::string> seen;
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const StatePtr& state : snapshot.resources) {
    if ((live && state->pending_delete) || !seen.insert(state->urn.str()).second) continue;
    const size_t distance = EditDistance(Lowered(urn), Lowered(state->urn.str()), kExchange);
    if (distance <= distance_max) ranked.emplace_back(distance, state->urn.str());
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> urns;
  for (size_t i = 0; i < std::min(ranked.size(), kSuggestionsMax); ++i) urns.push_back(ranked[i].second);
  return urns;
}

Status NoSuchResource(const Snapshot& snapshot, const std::string& urn, bool live) {
  std::string message = "No such resource \"" + urn + "\" exists in the current state";
  const std::vector<std::string> similar = Similar(snapshot, urn, live);
  if (!similar.empty()) message += "\nDid you mean:";
  for (const std::string& other : similar) message += "\n  " + other;
  return Status(Code::kNotFound, message);
}

}  // namespace

Result<StatePtr> FindLiveState(const Snapshot& snapshot, const std::string& urn) {
  for (const StatePtr& state : WithUrn(snapshot, urn)) {
    if (!state->pending_delete) return state;
  }
  return NoSuchResource(snapshot, urn, true);
}

Result<StatePtr> FindOnlyState(const Snapshot& snapshot, const std::string& urn) {
  const std::vector<StatePtr> found = WithUrn(snapshot, urn);
  if (found.empty()) return NoSuchResource(snapshot, urn, false);
  if (found.size() == 1) return found[0];
  std::string message = "Resource URN ambiguously referred to multiple resources. Did you mean:";
  for (const StatePtr& state : found) message += "\n  " + state->id;
  return Status(Code::kFailedPrecondition, message);
}

}  // namespace kingpost::decisions
