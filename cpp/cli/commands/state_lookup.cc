// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/state_lookup.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "cli/edit_distance.h"
#include "cli/exit_code.h"

namespace kingpost {

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

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The closest ones first; nothing that has little to do with what was asked for.
std::vector<std::string> Similar(const Snapshot& snapshot, const std::string& urn, bool live) {
  const size_t distance_max = std::max<size_t>(2, urn.size() / 4);
  std::unordered_set<std::string> seen;
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const StatePtr& state : snapshot.resources) {
    if ((live && state->pending_delete) || !seen.insert(state->urn.str()).second) continue;
    const size_t distance = EditDistance(Lower(urn), Lower(state->urn.str()), kExchange);
    if (distance <= distance_max) ranked.emplace_back(distance, state->urn.str());
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> urns;
  for (size_t i = 0; i < std::min(ranked.size(), kSuggestionsMax); ++i) urns.push_back(ranked[i].second);
  return urns;
}

Status NoSuchResource(const Snapshot& snapshot, const std::string& urn, bool live) {
  std::string message = "No such resource \"" + urn + "\" exists in the current state\n";
  const std::vector<std::string> similar = Similar(snapshot, urn, live);
  if (!similar.empty()) message += "Did you mean:\n";
  for (const std::string& other : similar) message += "  " + other + "\n";
  message +=
      "To list the resource URNs in the stack, run `kingpost stack --show-urns`; to inspect the full state, run "
      "`kingpost stack export`.";
  return Fail(ExitCode::kFailed, message);
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
  return Fail(ExitCode::kFailed, message);
}

}  // namespace kingpost
