// SPDX-License-Identifier: Apache-2.0
#include "console/graph/graph.h"

#include <algorithm>
#include <map>
#include <set>

#include "console/display/changed_keys.h"
#include "console/display/diff.h"
#include "console/display/show_options.h"
#include "update_plan/planned_resource.h"

namespace kingpost {

namespace {

// The facts of a resource that the picture needs, from any source.
struct Source {
  Urn urn, parent, deleted_with;
  std::string type, provider;
  bool custom = false, protect = false;
  std::vector<Urn> dependencies;
  PropertyDependencies property_dependencies;
};

Source SourceOf(const State& state) {
  return {state.urn,     state.parent,       state.deleted_with,         state.type, state.provider, state.custom,
          state.protect, state.dependencies, state.property_dependencies};
}

Source SourceOf(const Urn& urn, const update_plan::PlannedGoal& goal) {
  return {urn,          goal.parent,       Urn(),
          goal.type,    goal.provider,     goal.custom,
          goal.protect, goal.dependencies, goal.property_dependencies};
}

// Resources by URN, in the order in which they came; a later one replaces an earlier one in its place.
class Sources {
 public:
  void Put(Source source) {
    const auto [found, is_new] = place_.emplace(source.urn, all_.size());
    if (is_new) {
      all_.push_back(std::move(source));
    } else {
      all_[found->second] = std::move(source);
    }
  }
  const std::vector<Source>& all() const { return all_; }

 private:
  std::vector<Source> all_;
  std::unordered_map<Urn, size_t> place_;
};

Sources RecordedSources(const Snapshot& snapshot) {
  Sources sources;
  for (const StatePtr& state : snapshot.resources) {
    if (!state->pending_delete && !IsDefaultProviderUrn(state->urn)) sources.Put(SourceOf(*state));
  }
  return sources;
}

void AddEdges(const Source& source, int from, const std::unordered_map<Urn, int>& index, Graph* graph) {
  std::map<int, std::vector<std::string>> needs;
  for (const Urn& urn : source.dependencies) {
    if (const auto found = index.find(urn); found != index.end()) needs[found->second];
  }
  for (const auto& [property, urns] : source.property_dependencies) {
    for (const Urn& urn : urns) {
      if (const auto found = index.find(urn); found != index.end()) needs[found->second].push_back(property);
    }
  }
  for (auto& [to, properties] : needs) {
    if (to != from) graph->edges.push_back({from, to, GraphEdge::Kind::kDependency, std::move(properties)});
  }
  const Result<ProviderReference> provider = ProviderReference::Parse(source.provider);
  const auto found = provider.ok() ? index.find(provider->urn) : index.end();
  if (found != index.end()) graph->edges.push_back({from, found->second, GraphEdge::Kind::kProvider, {}});
  const auto with = index.find(source.deleted_with);
  if (with != index.end()) graph->edges.push_back({from, with->second, GraphEdge::Kind::kDeletedWith, {}});
}

Graph GraphOf(const Sources& sources, const std::string& title) {
  Graph graph;
  graph.title = title;
  std::unordered_map<Urn, int> index;
  for (const Source& source : sources.all()) {
    index.emplace(source.urn, static_cast<int>(graph.nodes.size()));
    GraphNode node;
    node.urn = source.urn;
    node.type = source.type;
    node.name = std::string(source.urn.name());
    node.is_component = !source.custom;
    node.is_protected = source.protect;
    graph.nodes.push_back(std::move(node));
  }
  for (size_t i = 0; i < sources.all().size(); ++i) {
    const Source& source = sources.all()[i];
    const auto parent = index.find(source.parent);
    if (!source.parent.empty() && parent != index.end()) graph.nodes[i].parent = parent->second;
    AddEdges(source, static_cast<int>(i), index, &graph);
  }
  return graph;
}

// The halves of a replacement are one.
StepOp WholeOp(StepOp op) {
  const bool half = op == StepOp::kCreateReplacement || op == StepOp::kDeleteReplaced || op == StepOp::kDiscardReplaced;
  return half ? StepOp::kReplace : op;
}

void Mark(const StepMetadata& step, const Masking& masking, GraphNode* at) {
  if (step.op == StepOp::kSame || step.op == StepOp::kRefresh) return;
  GraphNode& node = *at;
  // The half that deletes knows nothing of what changes.
  if (node.op == StepOp::kReplace && !step.new_state) return;
  node.op = WholeOp(step.op);
  if (step.op != StepOp::kCreate && step.op != StepOp::kDelete) node.changes = ChangedKeys(step, Painter(false));
  DiffTextOptions text;
  text.summary = true;
  const std::string lines = StepDiffText(step, text, Painter(false));
  node.details = masking.Text(lines.substr(lines.find('\n') + 1));
}

std::string PlannedChanges(const update_plan::PlannedDiff& diff) {
  std::string out;
  const auto add = [&](const char* mark, const std::string& key) { out += (out.empty() ? "" : " ") + (mark + key); };
  for (const auto& [key, value] : diff.adds) add("+", key);
  for (const auto& [key, value] : diff.updates) add("~", key);
  for (const std::string& key : diff.deletes) add("-", key);
  return out;
}

}  // namespace

Graph GraphOfState(const Snapshot& snapshot, const std::string& title) {
  return GraphOf(RecordedSources(snapshot), title);
}

Graph GraphOfPreview(const Snapshot& snapshot, const std::vector<StepMetadata>& steps, const Masking& masking,
                     const std::string& title) {
  Sources sources = RecordedSources(snapshot);
  for (const StepMetadata& step : steps) {
    if (!step.internal && step.new_state && !IsDefaultProviderUrn(step.urn)) sources.Put(SourceOf(*step.new_state));
  }
  Graph graph = GraphOf(sources, title);
  graph.has_operation = true;
  std::unordered_map<Urn, GraphNode*> node_of;
  for (GraphNode& node : graph.nodes) node_of.emplace(node.urn, &node);
  for (const StepMetadata& step : steps) {
    if (const auto found = node_of.find(step.urn); found != node_of.end()) Mark(step, masking, found->second);
  }
  return graph;
}

Result<Graph> GraphOfPlan(const Snapshot& snapshot, const std::string& plan_json, const std::string& title) {
  const Result<update_plan::PlannedResources> planned = update_plan::DecodePlan(plan_json, DecodeOptions());
  if (!planned.ok()) return planned.status().Wrap("could not read the plan");
  Sources sources = RecordedSources(snapshot);
  for (const auto& [urn, resource] : *planned) {
    if (resource.goal && !IsDefaultProviderUrn(urn)) sources.Put(SourceOf(urn, *resource.goal));
  }
  Graph graph = GraphOf(sources, title);
  graph.has_operation = true;
  for (GraphNode& node : graph.nodes) {
    const auto found = planned->find(node.urn);
    if (found == planned->end()) continue;
    for (const StepOp op : found->second.ops) {
      if (op != StepOp::kSame && node.op != StepOp::kReplace) node.op = WholeOp(op);
    }
    const bool whole = node.op == StepOp::kCreate || node.op == StepOp::kDelete || node.op == StepOp::kSame;
    if (found->second.goal && !whole) node.changes = PlannedChanges(found->second.goal->input_diff);
  }
  return graph;
}

void LeaveOutProviders(Graph* graph) {
  std::vector<int> place(graph->nodes.size(), -1);
  std::vector<GraphNode> nodes;
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    if (graph->nodes[i].type.rfind("pulumi:providers:", 0) == 0) continue;
    place[i] = static_cast<int>(nodes.size());
    nodes.push_back(std::move(graph->nodes[i]));
  }
  for (GraphNode& node : nodes) {
    if (node.parent >= 0) node.parent = place[static_cast<size_t>(node.parent)];
  }
  std::vector<GraphEdge> edges;
  for (GraphEdge& edge : graph->edges) {
    edge.from = place[static_cast<size_t>(edge.from)];
    edge.to = place[static_cast<size_t>(edge.to)];
    if (edge.from >= 0 && edge.to >= 0) edges.push_back(std::move(edge));
  }
  graph->nodes = std::move(nodes);
  graph->edges = std::move(edges);
}

void LeaveOutParents(Graph* graph) {
  for (GraphNode& node : graph->nodes) node.parent = -1;
}

void LeaveOutDependencies(Graph* graph) {
  const auto is_dependency = [](const GraphEdge& edge) { return edge.kind == GraphEdge::Kind::kDependency; };
  graph->edges.erase(std::remove_if(graph->edges.begin(), graph->edges.end(), is_dependency), graph->edges.end());
}

void LeaveOutTypes(Graph* graph) {
  for (GraphNode& node : graph->nodes) node.type.clear();
}

}  // namespace kingpost
