// SPDX-License-Identifier: Apache-2.0
// Resources and what they need, as a picture: nodes in the order of the state, edges between them, and what an
// operation would do to each. Pure.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "console/display/masking.h"
#include "kingpost/event.h"
#include "model/snapshot.h"

namespace kingpost {

struct GraphNode {
  Urn urn;
  std::string type, name;  // a type that is empty is not shown
  int parent = -1;         // index of a node
  bool is_component = false, is_protected = false;
  StepOp op = StepOp::kSame;
  std::string changes;  // "~size +tags"
  std::string details;  // the change, property by property; secrets masked
};

struct GraphEdge {
  enum class Kind { kDependency, kProvider, kDeletedWith };
  int from = 0, to = 0;  // `from` needs `to`
  Kind kind = Kind::kDependency;
  std::vector<std::string> properties;  // that hold values of `to`
};

struct Graph {
  std::string title;
  bool has_operation = false;  // ops say what would be done
  bool is_of_stacks = false;   // the outermost boxes are stacks, which a page shows folded at first
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

// Default providers are left out, as are originals of replacements that wait to be deleted.
Graph GraphOfState(const Snapshot& snapshot, const std::string& title);

// The stack after the steps of a preview: its resources and the new ones, marked. `steps` in any order.
Graph GraphOfPreview(const Snapshot& snapshot, const std::vector<StepMetadata>& steps, const Masking& masking,
                     const std::string& title);

// The same for a saved plan, which knows operations and goals but no values that are shown. Fails if it is none.
Result<Graph> GraphOfPlan(const Snapshot& snapshot, const std::string& plan_json, const std::string& title);

// Without providers, if nobody wants to see them.
void LeaveOutProviders(Graph* graph);
void LeaveOutParents(Graph* graph);
void LeaveOutDependencies(Graph* graph);  // not what is deleted with another, nor providers
void LeaveOutTypes(Graph* graph);         // nodes are called by their names alone

}  // namespace kingpost
