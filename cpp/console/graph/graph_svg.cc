// SPDX-License-Identifier: Apache-2.0
// A picture without scripts: boxes, lines with heads between them, what is said of a box when the pointer rests on it.
#include <algorithm>
#include <cstdio>

#include "console/display/terminal.h"
#include "console/graph/graph_drawing.h"
#include "console/graph/graph_layout.h"
#include "console/graph/graph_text.h"

namespace kingpost {

namespace {

constexpr double kMargin = 24, kTitleHeight = 34;
constexpr int kTextColumns = 32;  // that fit into a box also in a wide font
constexpr double kTitleColumnWidth = 14;

struct LineLook {
  const char* colour;
  const char* attributes;
  const char* head;  // the marker with its head
};

LineLook LookOf(GraphLine::Kind kind) {
  switch (kind) {
    case GraphLine::Kind::kParent:
      return {"#cbd5e1", "", "parent"};
    case GraphLine::Kind::kDependency:
      return {"#64748b", " stroke-width=\"1.3\"", "value"};
    case GraphLine::Kind::kProvider:
    case GraphLine::Kind::kDeletedWith:
      return {"#94a3b8", " stroke-dasharray=\"3 3\"", "other"};
  }
  return {"", "", ""};
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string number = text;
  return number.ends_with(".0") ? number.substr(0, number.size() - 2) : number;
}

// The tip of the head is where the line ends, at the edge of the box.
std::string Heads() {
  std::string out = "<defs>\n";
  for (const auto kind : {GraphLine::Kind::kParent, GraphLine::Kind::kDependency, GraphLine::Kind::kProvider}) {
    const LineLook look = LookOf(kind);
    out += std::string("<marker id=\"") + look.head +
           "\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerUnits=\"userSpaceOnUse\" markerWidth=\"9\" "
           "markerHeight=\"9\" orient=\"auto\"><path d=\"M0 1 L10 5 L0 9 z\" fill=\"" +
           look.colour + "\"/></marker>\n";
  }
  return out + "</defs>\n";
}

std::string Curve(const std::vector<GraphDrawing::Point>& points, GraphLine::Kind kind) {
  std::string path;
  for (size_t i = 0; i < points.size(); ++i) {
    path += i == 0 ? "M" : i % 3 == 1 ? " C" : " ";
    path += Number(kMargin + points[i].x) + " " + Number(kTitleHeight + kMargin + points[i].y);
  }
  const LineLook look = LookOf(kind);
  return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + look.colour + "\"" + look.attributes +
         " marker-end=\"url(#" + look.head + ")\"/>\n";
}

std::string Box(const GraphNode& node, GraphDrawing::Point place) {
  const GraphDrawing::Point corner = {kMargin + place.x, kTitleHeight + kMargin + place.y};
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

std::string GraphAsSvg(const Graph& graph, const GraphDrawing& drawing) {
  const double title_width = kTitleColumnWidth * DisplayWidth(graph.title);
  const double width = 2 * kMargin + std::max({kBoxWidth, title_width, drawing.size.x});
  const double height = kTitleHeight + 2 * kMargin + std::max(kBoxHeight, drawing.size.y);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + Number(width) + "\" height=\"" +
                    Number(height) + "\" viewBox=\"0 0 " + Number(width) + " " + Number(height) +
                    "\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#0f172a\">\n" + Heads() +
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"" + Number(kMargin) +
                    "\" y=\"30\" font-size=\"16\" font-weight=\"600\">" + XmlText(graph.title) + "</text>\n";
  const std::vector<GraphLine> lines = LinesOf(graph);
  for (size_t i = 0; i < lines.size(); ++i) out += Curve(drawing.curves[i], lines[i].kind);
  for (size_t i = 0; i < graph.nodes.size(); ++i) out += Box(graph.nodes[i], drawing.corners[i]);
  return out + "</svg>\n";
}

}  // namespace kingpost
