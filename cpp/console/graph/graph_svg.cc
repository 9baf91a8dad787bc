// SPDX-License-Identifier: Apache-2.0
// A picture without scripts: boxes in columns, curves between them, what is said of a box when the pointer rests on it.
#include "console/display/terminal.h"
#include "console/graph/graph_layout.h"
#include "console/graph/graph_text.h"

namespace kingpost {

namespace {

constexpr int kBoxWidth = 220, kBoxHeight = 46, kColumnGap = 90, kRowGap = 16, kMargin = 24, kTitleHeight = 34;
constexpr int kTextColumns = 32;  // that fit into a box

struct Corner {
  int x = 0, y = 0;
};

Corner CornerOf(const GraphLayout::Place& place) {
  return {kMargin + place.column * (kBoxWidth + kColumnGap),
          kTitleHeight + kMargin + place.row * (kBoxHeight + kRowGap)};
}

std::string Number(int value) { return std::to_string(value); }

std::string Curve(Corner from, Corner to, const char* attributes) {
  const int x1 = from.x + kBoxWidth, y1 = from.y + kBoxHeight / 2, x2 = to.x, y2 = to.y + kBoxHeight / 2;
  const int bend = kColumnGap / 2;
  return "<path d=\"M" + Number(x1) + " " + Number(y1) + " C" + Number(x1 + bend) + " " + Number(y1) + " " +
         Number(x2 - bend) + " " + Number(y2) + " " + Number(x2) + " " + Number(y2) + "\" fill=\"none\" " + attributes +
         "/>\n";
}

std::string Box(const GraphNode& node, Corner corner) {
  const GraphLook look = LookOf(node.op);
  std::string hint = node.urn.str();
  if (*look.word) hint += std::string("\n") + look.word + (node.changes.empty() ? "" : ": " + node.changes);
  const std::string word = *look.word ? std::string(" · ") + look.word : "";
  const std::string name = Truncate(Printable(node.name), kTextColumns - DisplayWidth(word));
  const std::string type = Truncate(Printable(node.type), kTextColumns + 3);
  return "<g><title>" + XmlText(hint) + "</title><rect x=\"" + Number(corner.x) + "\" y=\"" + Number(corner.y) +
         "\" width=\"" + Number(kBoxWidth) + "\" height=\"" + Number(kBoxHeight) + "\" rx=\"6\" fill=\"" + look.fill +
         "\" stroke=\"" + look.border + "\"" + (node.is_component ? " stroke-dasharray=\"5 3\"" : "") + "/><text x=\"" +
         Number(corner.x + 10) + "\" y=\"" + Number(corner.y + 19) + "\" font-weight=\"600\">" + XmlText(name + word) +
         "</text><text x=\"" + Number(corner.x + 10) + "\" y=\"" + Number(corner.y + 36) +
         "\" fill=\"#475569\" font-size=\"11\">" + XmlText(type) + "</text></g>\n";
}

}  // namespace

std::string GraphAsSvg(const Graph& graph) {
  const GraphLayout layout = LayOut(graph);
  const int width = 2 * kMargin + std::max(1, layout.columns) * (kBoxWidth + kColumnGap) - kColumnGap;
  const int height = kTitleHeight + 2 * kMargin + std::max(1, layout.rows) * (kBoxHeight + kRowGap) - kRowGap;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + Number(width) + "\" height=\"" +
                    Number(height) + "\" viewBox=\"0 0 " + Number(width) + " " + Number(height) +
                    "\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#0f172a\">\n" +
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"" + Number(kMargin) +
                    "\" y=\"30\" font-size=\"16\" font-weight=\"600\">" + XmlText(graph.title) + "</text>\n";
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const int parent = graph.nodes[i].parent;
    if (parent < 0) continue;
    out +=
        Curve(CornerOf(layout.places[static_cast<size_t>(parent)]), CornerOf(layout.places[i]), "stroke=\"#e2e8f0\"");
  }
  for (const GraphEdge& edge : graph.edges) {
    const bool is_value = edge.kind == GraphEdge::Kind::kDependency;
    out += Curve(CornerOf(layout.places[static_cast<size_t>(edge.to)]),
                 CornerOf(layout.places[static_cast<size_t>(edge.from)]),
                 is_value ? "stroke=\"#64748b\" stroke-width=\"1.3\"" : "stroke=\"#94a3b8\" stroke-dasharray=\"3 3\"");
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) out += Box(graph.nodes[i], CornerOf(layout.places[i]));
  return out + "</svg>\n";
}

}  // namespace kingpost
