// SPDX-License-Identifier: Apache-2.0
#include "decisions/migration_accounting.h"

#include <set>

#include "base/encoding.h"

namespace kingpost::decisions {

namespace {

using ByUrn = std::map<Urn, StatePtr>;

Status WrongAnswer(std::string text) { return {Code::kInvalidArgument, std::move(text)}; }

Status IndexReceived(const std::vector<StatePtr>& received, ByUrn* by_urn) {
  for (const StatePtr& state : received) {
    if (!state->urn.valid()) return WrongAnswer("received a resource with invalid URN " + Quote(state->urn.str()));
    if (!by_urn->emplace(state->urn, state).second)
      return WrongAnswer("received duplicate resource " + state->urn.str());
  }
  return Status();
}

Status IndexReturned(const std::vector<StatePtr>& returned, ByUrn* by_urn) {
  for (const StatePtr& state : returned) {
    const std::string& urn = state->urn.str();
    if (!state->urn.valid()) return WrongAnswer("returned a resource with invalid URN " + Quote(urn));
    if (!state->aliases.empty()) {
      return WrongAnswer(
          "returned resource " + urn +
          " with aliases; state migration callbacks must express renames with successor mappings instead");
    }
    if (!by_urn->emplace(state->urn, state).second) return WrongAnswer("returned duplicate resource " + urn);
    if (state->type != state->urn.type()) {
      return WrongAnswer("returned resource " + urn + " with type " + state->type +
                         ", which does not match its URN type " + std::string(state->urn.type()));
    }
  }
  return Status();
}

Status CheckSuccessors(const std::map<Urn, Urn>& successors, const ByUrn& received, const ByUrn& returned) {
  for (const auto& [from, to] : successors) {
    if (from.empty() || to.empty()) {
      return WrongAnswer("returned an empty successor mapping " + Quote(from.str()) + " -> " + Quote(to.str()));
    }
    if (!received.count(from)) {
      return WrongAnswer("returned successor for resource " + from.str() + ", which is not part of the prior state");
    }
    if (returned.count(from)) {
      return WrongAnswer("resource " + from.str() + " is both returned and assigned successor " + to.str());
    }
    if (!returned.count(to)) {
      return WrongAnswer("successor " + to.str() + " for resource " + from.str() +
                         " is not present in the returned state");
    }
  }
  return Status();
}

Status StaysWhatItIs(const State& before, const State& after) {
  const std::string& urn = before.urn.str();
  if (before.custom != after.custom) {
    return WrongAnswer("resource " + urn + " changed between custom and component state without changing URN");
  }
  if (before.custom && before.id != after.id) {
    return WrongAnswer("resource " + urn + " changed ID from " + Quote(before.id) + " to " + Quote(after.id) +
                       " without changing URN");
  }
  return Status();
}

Result<Urn> LastOf(const Urn& urn, const std::map<Urn, Urn>& named) {
  std::set<Urn> seen;
  Urn last = urn;
  for (auto next = named.find(last); next != named.end(); next = named.find(last)) {
    if (!seen.insert(last).second) return WrongAnswer("successor mappings contain a cycle at " + last.str());
    last = next->second;
  }
  return last;
}

}  // namespace

Status AccountFor(const std::vector<StatePtr>& received, const std::vector<StatePtr>& returned,
                  const std::map<Urn, Urn>& successors) {
  ByUrn before, after;
  KP_TRY(IndexReceived(received, &before));
  KP_TRY(IndexReturned(returned, &after));
  KP_TRY(CheckSuccessors(successors, before, after));
  for (const StatePtr& state : received) {
    const auto kept = after.find(state->urn);
    if (kept != after.end()) {
      KP_TRY(StaysWhatItIs(*state, *kept->second));
    } else if (!successors.count(state->urn)) {
      return WrongAnswer("did not account for resource " + state->urn.str() +
                         ": it must either be returned in the new state or have a successor");
    }
  }
  return Status();
}

Result<FinalSuccessors> Resolve(const std::map<Urn, Urn>& named, const std::vector<StatePtr>& original,
                                const std::vector<StatePtr>& returned) {
  std::set<Urn> there;
  for (const StatePtr& state : returned) there.insert(state->urn);
  FinalSuccessors successors;
  for (const auto& [from, next] : named) {
    const Result<Urn> last = LastOf(from, named);
    if (!last.ok()) return last.status();
    if (there.count(from)) {
      return WrongAnswer("resource " + from.str() + " is present in the final state and also has successor " +
                         last->str());
    }
    if (!there.count(*last)) {
      return WrongAnswer("successor " + last->str() + " for resource " + from.str() +
                         " is not present in the final state");
    }
    successors.all_successors.emplace(from, *last);
  }
  for (const StatePtr& state : original) {
    if (there.count(state->urn)) continue;
    const auto found = successors.all_successors.find(state->urn);
    if (found == successors.all_successors.end()) {
      return WrongAnswer("did not account for resource " + state->urn.str() +
                         ": it must either be returned in the final state or have a successor");
    }
    successors.original_successors.insert(*found);
  }
  return successors;
}

}  // namespace kingpost::decisions
