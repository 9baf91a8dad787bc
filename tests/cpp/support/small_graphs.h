// SPDX-License-Identifier: Apache-2.0
// Every small graph of resources, for tests that hold a decision against a slow and obvious oracle.
//
//   a, b, c, d are resources 0 to 3; "b(^a) c(.b +a)" reads: b is a child of a; c depends on b by a property, and is
//   replaced with a. Z is a resource that does not exist.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "model/resource.h"

namespace kingpost::testing {

// The kinds of references from one resource to another.
enum class Edge { kNone, kParent, kDependency, kProperty, kDeletedWith, kReplaceWith, kProvider };
inline constexpr Edge kNamingEdges[] = {Edge::kParent,      Edge::kDependency,  Edge::kProperty,
                                        Edge::kDeletedWith, Edge::kReplaceWith, Edge::kProvider};

struct SmallGraph {
  static constexpr int kMost = 4;
  static constexpr int kMissing = 4;  // the column of what does not exist

  int size = 0;
  std::array<std::array<Edge, kMost + 1>, kMost> edge{};  // edge[i][j]: how i names j

  bool Names(int i, int j) const { return edge[i][j] != Edge::kNone; }
  // The resource to which i has this kind of reference, or -1.
  int Target(int i, Edge kind) const {
    const auto found = std::find(edge[i].begin(), edge[i].end(), kind);
    return found == edge[i].end() ? -1 : static_cast<int>(found - edge[i].begin());
  }
  bool IsProvider(int j) const {
    for (int i = 0; i < size; ++i) {
      if (edge[i][j] == Edge::kProvider) return true;
    }
    return false;
  }
  // A resource has one parent, one provider and is deleted with one other.
  bool IsPossible() const {
    for (int i = 0; i < size; ++i) {
      for (Edge kind : {Edge::kParent, Edge::kDeletedWith, Edge::kProvider}) {
        if (std::count(edge[i].begin(), edge[i].end(), kind) > 1) return false;
      }
    }
    return true;
  }

  std::string Text() const {
    std::string text;
    for (int i = 0; i < size; ++i) {
      text += std::string(i > 0 ? " " : "") + static_cast<char>('a' + i);
      std::string named;
      for (int j = 0; j <= kMost; ++j) {
        if (!Names(i, j)) continue;
        named += std::string(named.empty() ? "" : " ") + "?^-.&+@"[static_cast<int>(edge[i][j])] +
                 static_cast<char>(j == kMissing ? 'Z' : 'a' + j);
      }
      if (!named.empty()) text += "(" + named + ")";
    }
    return text;
  }
};

// Every graph of `size` resources, each of which names earlier ones, each by one of `kinds` or not at all. Returns how
// many there were.
template <class F>
int ForEachGraph(int size, const std::vector<Edge>& kinds, const F& f) {
  const int choices = static_cast<int>(kinds.size()) + 1;
  int numbers = 1, graphs = 0;
  for (int pair = 0; pair < size * (size - 1) / 2; ++pair) numbers *= choices;
  for (int number = 0; number < numbers; ++number) {
    SmallGraph graph;
    graph.size = size;
    int rest = number;
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < i; ++j, rest /= choices) {
        graph.edge[i][j] = rest % choices == 0 ? Edge::kNone : kinds[rest % choices - 1];
      }
    }
    if (!graph.IsPossible()) continue;
    ++graphs;
    f(graph);
  }
  return graphs;
}

// Every graph whose edges lead anywhere: to earlier and later resources, and with `loose` also to the resource itself
// and to one that does not exist. Each graph comes once for every way to deal the kinds out in turn.
template <class F>
int ForEachUnorderedGraph(int size, bool loose, const F& f) {
  const int targets = loose ? size + 1 : size - 1;
  int graphs = 0;
  for (int number = 0; number < 1 << (size * targets); ++number) {
    for (size_t turn = 0; turn < std::size(kNamingEdges); ++turn) {
      SmallGraph graph;
      graph.size = size;
      int rest = number;
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j <= (loose ? size : size - 1); ++j) {
          if (!loose && j == i) continue;
          const Edge kind = kNamingEdges[(turn + i + 2 * j) % std::size(kNamingEdges)];
          const int target = j == size ? SmallGraph::kMissing : j;
          const bool taken = kind != Edge::kDependency && graph.Target(i, kind) >= 0;
          if (rest % 2 == 1) graph.edge[i][target] = taken ? Edge::kDependency : kind;
          rest /= 2;
        }
      }
      ++graphs;
      f(graph);
    }
  }
  return graphs;
}

// The type and name of a resource; "" stands for the names a to d and the usual type.
struct Label {
  std::string type, name;
};
using Labels = std::array<Label, SmallGraph::kMost>;
inline constexpr unsigned kEverything = 15;

inline std::string TypeIn(const SmallGraph& graph, const Labels& labels, int i) {
  if (graph.IsProvider(i)) return "pulumi:providers:pkg";
  return i == SmallGraph::kMissing || labels[i].type.empty() ? "pkg:index:Res" : labels[i].type;
}

// The URN with the types of the parents that are in `known`.
inline Urn UrnIn(const SmallGraph& graph, int i, unsigned known = kEverything, const Labels& labels = {}) {
  if (i == SmallGraph::kMissing) return Urn::Make("stack", "project", "", TypeIn(graph, labels, i), "Z");
  const int parent = graph.Target(i, Edge::kParent);
  std::string above;
  if (parent >= 0 && parent < i && (known >> parent & 1)) above = UrnIn(graph, parent, known, labels).qualified_type();
  const std::string name = labels[i].name.empty() ? std::string(1, static_cast<char>('a' + i)) : labels[i].name;
  return Urn::Make("stack", "project", above, TypeIn(graph, labels, i), name);
}

// `urn` becomes one that the state names in this way; `id` is the ID of what it is the URN of.
inline void Name(State* state, Edge kind, const Urn& urn, const std::string& id) {
  switch (kind) {
    case Edge::kNone:
      return;
    case Edge::kParent:
      state->parent = urn;
      return;
    case Edge::kDependency:
      state->dependencies.push_back(urn);
      return;
    case Edge::kProperty:
      state->property_dependencies["of " + id].push_back(urn);
      return;
    case Edge::kDeletedWith:
      state->deleted_with = urn;
      return;
    case Edge::kReplaceWith:
      state->replace_with.push_back(urn);
      return;
    case Edge::kProvider:
      state->provider = ProviderReference{urn, id}.str();
      return;
  }
}

inline std::string IdOf(int i) {
  return std::string("id-") + static_cast<char>(i == SmallGraph::kMissing ? 'Z' : 'a' + i);
}

// Resource i as recorded by a run that knows what is in `known` under these labels; it names nothing else.
inline State StateIn(const SmallGraph& graph, int i, unsigned known = kEverything, const Labels& labels = {}) {
  State state;
  state.urn = UrnIn(graph, i, known, labels);
  state.type = TypeIn(graph, labels, i);
  state.custom = true;
  state.id = IdOf(i);
  for (int j = 0; j <= SmallGraph::kMost; ++j) {
    if (j != SmallGraph::kMissing && !(known >> j & 1)) continue;
    Name(&state, graph.edge[i][j], graph.Names(i, j) ? UrnIn(graph, j, known, labels) : Urn(), IdOf(j));
  }
  return state;
}

inline std::vector<StatePtr> StatesIn(const SmallGraph& graph, unsigned known = kEverything,
                                      const Labels& labels = {}) {
  std::vector<StatePtr> states;
  for (int i = 0; i < graph.size; ++i) {
    if (known >> i & 1) states.push_back(std::make_shared<const State>(StateIn(graph, i, known, labels)));
  }
  return states;
}

}  // namespace kingpost::testing
