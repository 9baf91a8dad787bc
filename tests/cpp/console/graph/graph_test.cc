// SPDX-License-Identifier: Apache-2.0
// Checks pictures of stacks: their contents, their escaping, and the places of their nodes.
#include "console/graph/graph.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "console/graph/graph_drawing.h"
#include "console/graph/graph_layout.h"
#include "console/graph/graph_text.h"
#include "support/needs.h"

namespace kingpost::graph_test {

StatePtr MakeState(const std::string& type, const std::string& name, const StatePtr& parent = nullptr,
                   const std::vector<StatePtr>& needs = {}) {
  State state;
  state.urn = Urn("urn:pulumi:dev::site::" + type + "::" + name);
  state.type = type;
  state.custom = type.rfind("boxes:", 0) != 0 && type != kRootStackType;
  if (parent) state.parent = parent->urn;
  for (const StatePtr& need : needs) {
    state.dependencies.push_back(need->urn);
    state.property_dependencies["value"].push_back(need->urn);
  }
  return std::make_shared<const State>(std::move(state));
}

Snapshot Site(const std::string& name = "web") {
  const StatePtr root = MakeState(std::string(kRootStackType), "site-dev");
  const StatePtr box = MakeState("boxes:index:Box", "box", root);
  const StatePtr db = MakeState("things:index:Thing", "db", box);
  Snapshot snapshot;
  snapshot.resources = {root,
                        MakeState("pulumi:providers:things", "default", root),
                        MakeState("pulumi:providers:things", "own", root),
                        box,
                        db,
                        MakeState("things:index:Thing", name, box, {db})};
  return snapshot;
}

TEST_CASE("a graph has resources, parents, and edges with the names of their properties", "[cli][graph]") {
  Graph graph = GraphOfState(Site(), "site/dev");
  CHECK(graph.nodes.size() == 5);  // no resource owns the default provider
  LeaveOutProviders(&graph);
  REQUIRE(graph.nodes.size() == 4);
  CHECK(graph.nodes[3].name == "web");
  CHECK(graph.nodes[3].parent == 1);
  REQUIRE(graph.edges.size() == 1);
  CHECK(graph.edges[0].from == 3);
  CHECK(graph.edges[0].to == 2);
  CHECK(graph.edges[0].properties == std::vector<std::string>{"value"});
}

TEST_CASE("a preview marks its steps, each replacement once, with secrets masked", "[cli][graph]") {
  const Snapshot snapshot = Site();
  State changed = *snapshot.resources.back();
  changed.inputs = {{"size", 2}, {"key", Value::Secret("hunter22")}};
  StepMetadata step;
  step.urn = changed.urn;
  step.type = changed.type;
  step.old_state = snapshot.resources.back();
  step.new_state = std::make_shared<const State>(changed);
  step.op = StepOp::kCreateReplacement;
  StepMetadata removal = step;
  removal.op = StepOp::kDeleteReplaced;
  removal.new_state = nullptr;
  StepMetadata creation;
  creation.op = StepOp::kCreate;
  creation.new_state = MakeState("things:index:Thing", "fresh");
  creation.urn = creation.new_state->urn;
  const Graph graph = GraphOfPreview(snapshot, {step, removal, creation}, Masking(), "site/dev");
  CHECK(graph.nodes.size() == 6);
  CHECK(graph.nodes.back().op == StepOp::kCreate);
  const GraphNode& web = graph.nodes[4];
  CHECK(web.op == StepOp::kReplace);
  CHECK(web.changes == "+key +size");
  CHECK(web.details.find("hunter22") == std::string::npos);
  CHECK(web.details.find("+ size: 2") != std::string::npos);
}

TEST_CASE("a plan marks its steps", "[cli][graph]") {
  const std::string urn = Site().resources.back()->urn.str();
  const Result<Graph> graph =
      GraphOfPlan(Site(),
                  R"({"manifest":{"time":"2026-01-01T00:00:00Z","magic":"","version":""},"resourcePlans":{")" + urn +
                      R"(":{"goal":null,"steps":["delete"],"state":null}}})",
                  "site/dev");
  REQUIRE(graph.ok());
  CHECK(graph->nodes.back().op == StepOp::kDelete);
  CHECK_FALSE(GraphOfPlan(Site(), "{", "site/dev").ok());
}

TEST_CASE("names cannot break out of a picture", "[cli][graph]") {
  const Graph graph = GraphOfState(Site("a\"]</script><b>\\|#"), "site/dev");
  const std::string html = GraphAsHtml(graph);
  CHECK(html.find("</script><b>") == std::string::npos);
  CHECK(html.find("{{") == std::string::npos);
  CHECK(html.find("<h1>site/dev</h1>") != std::string::npos);
  const size_t begin = html.find("type=\"application/json\">") + 24;
  const auto json = nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  CHECK(json["nodes"].back()["name"] == "a\"]</script><b>\\|#");
  for (const char* outside : {"http://", "https://", "src=", "@import"}) {
    INFO(outside);
    std::string page = html;
    for (size_t at = 0; (at = page.find("http://www.w3.org/2000/svg", at)) != std::string::npos;) page.erase(at, 26);
    CHECK(page.find(outside) == std::string::npos);
  }
  CHECK(GraphAsDot(graph).find("a\\\"]</script><b>\\\\|#") != std::string::npos);
  CHECK(GraphAsMermaid(graph).find("a#quot;]#lt;/script#gt;#lt;b#gt;\\|#35;") != std::string::npos);
  const std::string svg = GraphAsSvg(graph, DrawInColumns(graph));
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(svg.find("&lt;b&gt;") != std::string::npos);
}

TEST_CASE("components are boxes in DOT and Mermaid", "[cli][graph]") {
  Graph graph = GraphOfState(Site(), "site/dev");
  LeaveOutProviders(&graph);
  const std::string mermaid = GraphAsMermaid(graph);
  CHECK(mermaid.find("    subgraph s1[\"box\"]\n") != std::string::npos);
  CHECK(mermaid.find("  n2 -->|\"value\"| n3\n") != std::string::npos);
  const std::string dot = GraphAsDot(graph);
  CHECK(dot.find("subgraph cluster_1 {") != std::string::npos);
  CHECK(dot.find("  n2 -> n3 [label=\"value\"];\n") != std::string::npos);
}

TEST_CASE("components that stand in each other without end are drawn in as many lines", "[cli][graph]") {
  constexpr int kDepth = 100'000;
  Graph graph;
  for (int i = 0; i < kDepth; ++i) {
    GraphNode node;
    node.name = "r" + std::to_string(i);
    node.parent = i - 1;
    graph.nodes.push_back(std::move(node));
  }
  for (const std::string& text : {GraphAsDot(graph), GraphAsMermaid(graph)}) {
    CHECK(text.size() < size_t{kDepth} * 400);
    CHECK(text.find("r99999") != std::string::npos);
  }
}

TEST_CASE("each box is right of its dependencies, and no two boxes overlap", "[cli][graph]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Graph graph;
    graph.nodes.resize(1 + random() % 60);
    for (size_t i = 1; i < graph.nodes.size(); ++i) {
      for (unsigned edges = random() % 3; edges > 0; --edges) {
        graph.edges.push_back({static_cast<int>(i), static_cast<int>(random() % i), {}, {}});
      }
    }
    const GraphLayout layout = LayOut(graph);
    std::set<std::pair<int, int>> taken;
    for (const GraphLayout::Place& place : layout.places) {
      CHECK(taken.emplace(place.column, place.row).second);
      CHECK(place.column < layout.columns);
      CHECK(place.row < layout.rows);
    }
    for (const GraphEdge& edge : graph.edges) {
      CHECK(layout.places[static_cast<size_t>(edge.to)].column < layout.places[static_cast<size_t>(edge.from)].column);
    }
  }
  Graph circle;
  circle.nodes.resize(2);
  circle.edges = {{0, 1, {}, {}}, {1, 0, {}, {}}};
  CHECK(LayOut(circle).columns == 1);
}

Graph RandomGraph(unsigned seed) {
  std::mt19937 random(seed);
  Graph graph;
  graph.nodes.resize(1 + random() % 40);
  const int count = static_cast<int>(graph.nodes.size());
  for (int i = 0; i < count; ++i) {
    graph.nodes[static_cast<size_t>(i)].parent = i > 0 && random() % 3 == 0 ? static_cast<int>(random() % i) : -1;
    for (unsigned edges = random() % 3; edges > 0; --edges) {
      // Circles, and several lines between the same two, are drawn as well.
      const int to = static_cast<int>(random()) % count;
      if (to >= 0 && to != i) graph.edges.push_back({i, to, static_cast<GraphEdge::Kind>(random() % 3), {}});
    }
  }
  return graph;
}

bool IsInside(double low, double value, double high) { return value >= low - 0.5 && value <= high + 0.5; }

void CheckDrawing(const Graph& graph, const GraphDrawing& drawing) {
  const std::vector<GraphLine> lines = LinesOf(graph);
  REQUIRE(drawing.corners.size() == graph.nodes.size());
  REQUIRE(drawing.curves.size() == lines.size());
  for (size_t i = 0; i < drawing.corners.size(); ++i) {
    const GraphDrawing::Point corner = drawing.corners[i];
    CHECK(IsInside(0, corner.x, drawing.size.x - kBoxWidth));
    CHECK(IsInside(0, corner.y, drawing.size.y - kBoxHeight));
    for (size_t j = 0; j < i; ++j) {
      const GraphDrawing::Point other = drawing.corners[j];
      CHECK((std::abs(corner.x - other.x) >= kBoxWidth || std::abs(corner.y - other.y) >= kBoxHeight));
    }
  }
  const auto touches = [&](const GraphDrawing::Point& point, int node) {
    const GraphDrawing::Point corner = drawing.corners[static_cast<size_t>(node)];
    const bool at_box =
        IsInside(corner.x, point.x, corner.x + kBoxWidth) && IsInside(corner.y, point.y, corner.y + kBoxHeight);
    const bool within = point.x > corner.x + 1 && point.x < corner.x + kBoxWidth - 1 && point.y > corner.y + 1 &&
                        point.y < corner.y + kBoxHeight - 1;
    return at_box && !within;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    INFO("line from " << lines[i].from << " to " << lines[i].to);
    const std::vector<GraphDrawing::Point>& curve = drawing.curves[i];
    REQUIRE(curve.size() % 3 == 1);
    CHECK(touches(curve.front(), lines[i].from));
    CHECK(touches(curve.back(), lines[i].to));
    for (const GraphDrawing::Point& point : curve) {
      CHECK(IsInside(0, point.x, drawing.size.x));
      CHECK(IsInside(0, point.y, drawing.size.y));
    }
  }
}

TEST_CASE("boxes lie apart, lines go from box to box, and the sheet holds all of it", "[cli][graph]") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    const Graph graph = RandomGraph(seed);
    CheckDrawing(graph, DrawInColumns(graph));
  }
}

TEST_CASE("Graphviz draws the same boxes and lines where it is installed", "[cli][graph]") {
  const Result<GraphDrawing> first = DrawByGraphviz(GraphOfState(Site(), "site/dev"));
  if (!first.ok()) {
    testing::LeaveOut(first.status().message());
    return;
  }
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    const Graph graph = RandomGraph(seed);
    const Result<GraphDrawing> drawing = DrawByGraphviz(graph);
    REQUIRE(drawing.ok());
    CheckDrawing(graph, *drawing);
  }
  CHECK(DrawByGraphviz(Graph()).ok());
  Graph large;
  large.nodes.resize(kGraphvizPartsMax + 1);
  CHECK_FALSE(DrawByGraphviz(large).ok());
}

TEST_CASE("each line of a picture ends in a head", "[cli][graph]") {
  const Graph graph = GraphOfState(Site(), "site/dev");
  const std::string svg = GraphAsSvg(graph, DrawInColumns(graph));
  size_t lines = 0;
  for (size_t at = 0; (at = svg.find("fill=\"none\"", at)) != std::string::npos; ++at) {
    const std::string line = svg.substr(at, svg.find('\n', at) - at);
    CHECK(line.find("marker-end=\"url(#") != std::string::npos);
    ++lines;
  }
  CHECK(lines == LinesOf(graph).size());
}

}  // namespace kingpost::graph_test
