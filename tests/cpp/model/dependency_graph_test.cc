// SPDX-License-Identifier: Apache-2.0
// The graph against a slow one that scans the list for every question, over all small graphs.
#include "model/dependency_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <set>

#include "model/states.h"
#include "support/patience.h"

namespace kingpost::dependency_graph_test {

using testing::Names;
using testing::TestState;
using testing::TestUrn;
using States = std::vector<StatePtr>;

std::set<Urn> NamedBy(const State& state) {
  std::set<Urn> urns(state.dependencies.begin(), state.dependencies.end());
  for (const auto& [key, list] : state.property_dependencies) urns.insert(list.begin(), list.end());
  urns.insert(state.deleted_with);
  urns.insert(state.replace_with.begin(), state.replace_with.end());
  if (auto reference = ProviderReference::Parse(state.provider); reference.ok()) urns.insert(reference->urn);
  urns.erase(Urn());
  return urns;
}

States SlowDependingOn(const States& list, size_t start, const std::set<Urn>& ignore, bool include_children) {
  States found;
  std::set<Urn> dependent = {list[start]->urn};
  for (size_t i = start + 1; i < list.size(); ++i) {
    std::set<Urn> named = NamedBy(*list[i]);
    if (include_children) named.insert(list[i]->parent);
    const bool hit = std::any_of(named.begin(), named.end(), [&](const Urn& urn) { return dependent.count(urn); });
    if (!hit || ignore.count(list[i]->urn)) continue;
    found.push_back(list[i]);
    dependent.insert(list[i]->urn);
  }
  return found;
}

// The URNs above a state, each parent being the last state with that URN before its child.
std::set<Urn> Ancestors(const States& list, size_t index) {
  std::set<Urn> above;
  Urn parent = list[index]->parent;
  while (!parent.empty()) {
    above.insert(parent);
    while (list[--index]->urn != parent) continue;
    parent = list[index]->parent;
  }
  return above;
}

States SlowDependenciesOf(const States& list, size_t index) {
  const std::set<Urn> named = NamedBy(*list[index]);
  std::set<Urn> components;
  for (size_t i = 0; i < index; ++i) {
    if (named.count(list[i]->urn) && !list[i]->custom) components.insert(list[i]->urn);
  }
  States found;
  for (size_t i = 0; i < index; ++i) {
    const std::set<Urn> above = Ancestors(list, i);
    const bool below =
        std::any_of(components.begin(), components.end(), [&](const Urn& urn) { return above.count(urn); });
    if (named.count(list[i]->urn) || list[i]->urn == list[index]->parent || below) found.push_back(list[i]);
  }
  return found;
}

States SlowTransitive(const States& list, size_t index) {
  std::set<size_t> seen = {index};
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t from : std::set<size_t>(seen)) {
      std::set<Urn> named = NamedBy(*list[from]);
      if (!list[from]->parent.empty()) named.insert(list[from]->parent);
      for (const Urn& urn : named) {
        std::vector<size_t> same_kind, any;
        for (size_t i = 0; i < list.size(); ++i) {
          if (list[i]->urn != urn) continue;
          any.push_back(i);
          if (list[i]->pending_delete == list[from]->pending_delete) same_kind.push_back(i);
        }
        if (any.empty()) continue;
        grown = seen.insert(same_kind.empty() ? any.back() : same_kind.back()).second || grown;
      }
    }
  }
  seen.erase(index);
  States found;
  for (size_t i : seen) found.push_back(list[i]);
  return found;
}

// Four states; every pair unrelated, a dependency (of a kind that varies) or parent and child; every mix of components.
// The second state may share its URN with the last, waiting for its deletion.
States MakeSmall(int edges, int components, bool twins) {
  States list;
  for (int i = 0; i < 4; ++i) {
    bool valid = true;
    const bool twin = twins && i == 1;
    list.push_back(TestState(twins && (i == 3 || twin) ? "twin" : std::string(1, 'a' + i), [&](State* state) {
      state->pending_delete = twin;
      state->custom = !(components >> i & 1);
      for (int j = 0; j < i; ++j, edges /= 3) {
        const Urn& urn = list[j]->urn;
        if (edges % 3 == 1 && (i + j) % 3 == 0) state->dependencies.push_back(urn);
        if (edges % 3 == 1 && (i + j) % 3 == 1) state->property_dependencies["p"].push_back(urn);
        if (edges % 3 == 1 && (i + j) % 3 == 2) state->deleted_with = urn, state->replace_with = {urn};
        if (edges % 3 != 2) continue;
        valid = valid && state->parent.empty();
        state->parent = urn;
      }
    }));
    if (!valid) return {};
  }
  return list;
}

TEST_CASE("the dependency graph agrees with a slow one on all small graphs", "[model]") {
  int graphs = 0;
  for (int edges = 0; edges < 729; ++edges) {
    for (int variant = 0; variant < 32; ++variant) {
      const States list = MakeSmall(edges, variant / 2, variant % 2);
      if (list.empty()) continue;
      ++graphs;
      const DependencyGraph graph(list);
      bool same = true;
      for (size_t i = 0; i < list.size(); ++i) {
        same = same && graph.DependenciesOf(list[i]) == SlowDependenciesOf(list, i);
        same = same && graph.TransitiveDependenciesOf(list[i]) == SlowTransitive(list, i);
        for (bool children : {false, true}) {
          const Urn ignored = list[2]->urn;
          const auto is_ignored = [&](const Urn& urn) { return urn == ignored; };
          same = same && graph.DependingOn(list[i], children) == SlowDependingOn(list, i, {}, children);
          same =
              same && graph.DependingOn(list[i], is_ignored, children) == SlowDependingOn(list, i, {ignored}, children);
        }
      }
      INFO("edges " << edges << ", variant " << variant);
      if (!same) FAIL("the two graphs differ");
    }
  }
  CHECK(graphs > 10000);
}

TEST_CASE("a dependency on a component includes its earlier descendants", "[model]") {
  const auto component = TestState("component", [](State* s) { s->custom = false; });
  const auto child = TestState("child", [](State* s) { s->custom = false, s->parent = TestUrn("component"); });
  const auto grandchild = TestState("grandchild", [](State* s) { s->parent = TestUrn("child"); });
  const auto user = TestState("user", [](State* s) { s->dependencies = {TestUrn("component")}; });
  const auto late = TestState("late", [](State* s) { s->parent = TestUrn("component"); });
  const DependencyGraph graph({component, child, grandchild, user, late});
  CHECK(Names(graph.DependenciesOf(user)) == "component child grandchild");
  CHECK(Names(graph.DependenciesOf(late)) == "component");
  CHECK(Names(graph.ChildrenOf(component)) == "child late");
  CHECK(Names(graph.DependingOn(component, false)) == "user");
  CHECK(Names(graph.DependingOn(component, true)) == "child grandchild user late");
  CHECK(graph.IndexOf(TestState("user")) == -1);
}

TEST_CASE("provider references make dependents", "[model]") {
  const auto provider = testing::TestProvider("p");
  const auto user = TestState("user", [&](State* s) { s->provider = testing::ReferenceTo(provider); });
  const DependencyGraph graph({provider, user});
  CHECK(Names(graph.DependingOn(provider, false)) == "user");
  CHECK(Names(graph.DependenciesOf(user)) == "p");
}

TEST_CASE("a graph of 100,000 resources is built and asked in linear time", "[model]") {
  States list = {testing::TestProvider("provider")};
  const std::string reference = testing::ReferenceTo(list[0]);
  for (int i = 1; i < 100000; ++i) {
    list.push_back(TestState("r" + std::to_string(i), [&](State* s) {
      s->provider = reference;
      if (i > 1) s->dependencies = {list[i - 1]->urn, list[i / 2 + 1 < i ? i / 2 + 1 : 1]->urn};
    }));
  }
  const auto start = std::chrono::steady_clock::now();
  const DependencyGraph graph(list);
  size_t edges = 0;
  for (int i = 0; i < graph.size(); ++i) edges += graph.DependencyIndices(i).size();
  CHECK(graph.DependingOn(list[1], false).size() == 99998);
  CHECK(graph.TransitiveDependenciesOf(list[99999]).size() == 99999);
  CHECK(edges > 290000);
  // Quadratic would take minutes.
  CHECK(std::chrono::steady_clock::now() - start < kPatience * std::chrono::seconds(10));
}

}  // namespace kingpost::dependency_graph_test
