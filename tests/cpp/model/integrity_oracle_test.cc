// SPDX-License-Identifier: Apache-2.0
// Checks whether a snapshot can be trusted, on every small graph, sound or not, against the rules of row 7.11 read as
// predicates.
#include <catch2/catch.hpp>

#include "model/snapshot.h"
#include "model/states.h"
#include "support/small_graphs.h"

namespace kingpost::integrity_oracle_test {

using testing::Edge;
using testing::SmallGraph;
using testing::TestSnapshot;
using States = std::vector<StatePtr>;

bool Occurs(const States& list, const Urn& urn, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    if (list[i]->urn == urn) return true;
  }
  return false;
}

std::vector<Urn> Named(const State& state) {
  std::vector<Urn> urns;
  if (!state.parent.empty()) urns.push_back(state.parent);
  urns.insert(urns.end(), state.dependencies.begin(), state.dependencies.end());
  for (const auto& [key, list] : state.property_dependencies) urns.insert(urns.end(), list.begin(), list.end());
  if (!state.deleted_with.empty()) urns.push_back(state.deleted_with);
  urns.insert(urns.end(), state.replace_with.begin(), state.replace_with.end());
  return urns;
}

// A provider may name itself as its provider: no rule forbids it.
bool HasProvider(const States& list, size_t i) {
  if (list[i]->provider.empty() || list[i]->pending_replacement) return true;
  for (size_t j = 0; j <= i; ++j) {
    const std::string id = list[j]->id.empty() ? std::string(kUnknownString) : list[j]->id;
    if (list[j]->is_provider() && list[i]->provider == list[j]->urn.str() + "::" + id) return true;
  }
  return false;
}

bool IsDuplicate(const States& list, size_t i) {
  int live = 0;
  for (const StatePtr& other : list) live += other->urn == list[i]->urn && !other->pending_delete;
  return live > 1;
}

// Returns the parts that the message must have; none if the list is sound.
std::vector<std::string> Violation(const States& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    const State& state = *list[i];
    if (!state.custom && !state.id.empty()) return {state.urn.str(), "non-empty ID"};
    if (!HasProvider(list, i)) return {state.urn.str(), "unknown provider", state.provider};
    for (const Urn& urn : Named(state)) {
      if (Occurs(list, urn, 0, i)) continue;
      return {state.urn.str(), urn.str(), Occurs(list, urn, i + 1, list.size()) ? "comes after it" : "missing"};
    }
  }
  for (size_t i = 0; i < list.size(); ++i) {
    if (IsDuplicate(list, i)) return {list[i]->urn.str(), "duplicate"};
  }
  return {};
}

// Facts of single states that the rules ask for, a few at a time.
constexpr int kVariants = 9;
States Variant(const SmallGraph& graph, int variant) {
  std::vector<State> states;
  for (int i = 0; i < graph.size; ++i) states.push_back(StateIn(graph, i));
  State& second = states[1];
  State& last = states.back();
  if (variant >= 1 && variant <= 4) {  // one URN twice
    last.urn = second.urn;
    last.type = second.type;
    second.pending_delete = variant & 1;
    last.pending_delete = variant > 2;
  }
  if (variant == 5) last.pending_replacement = true;
  if (variant == 6) second.id.clear();
  if (variant == 7) states[0].custom = false;
  if (variant == 8 && !last.provider.empty()) last.provider += "-other";
  States shared;
  for (State& state : states) shared.push_back(std::make_shared<const State>(std::move(state)));
  return shared;
}

TEST_CASE("a snapshot is sound exactly if every rule holds, in all small graphs", "[model]") {
  int cases = 0, sound = 0;
  Snapshot snapshot = TestSnapshot({});
  const auto compare = [&](const SmallGraph& graph) {
    for (int variant = 0; variant < kVariants; ++variant) {
      const States list = Variant(graph, variant);
      const std::vector<std::string> expected = Violation(list);
      snapshot.resources = list;
      const Status status = VerifyIntegrity(snapshot);
      ++cases;
      sound += expected.empty();
      bool agrees = status.ok() == expected.empty();
      for (const std::string& part : expected) agrees = agrees && status.message().find(part) != std::string::npos;
      if (!agrees) FAIL(graph.Text() << ", variant " << variant << ": " << status.message());
    }
  };
  testing::ForEachUnorderedGraph(2, true, compare);
  testing::ForEachUnorderedGraph(3, true, compare);
  testing::ForEachUnorderedGraph(4, false, compare);
  testing::ForEachGraph(4, {Edge::kParent, Edge::kDependency, Edge::kProperty, Edge::kProvider}, compare);
  CHECK(cases > 500000);
  CHECK(sound > 30000);
}

}  // namespace kingpost::integrity_oracle_test
