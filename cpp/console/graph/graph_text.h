// SPDX-License-Identifier: Apache-2.0
// A graph in the languages of other tools, and as a picture and a page of their own. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "console/graph/graph.h"
#include "console/graph/graph_drawing.h"

namespace kingpost {

struct DotStyle {
  std::string dependency_color = "#64748b", parent_color = "#94a3b8";
  std::string fragment;  // text for the top of the graph, as it is

  bool operator==(const DotStyle&) const = default;
};

std::string GraphAsDot(const Graph& graph, const DotStyle& style = {});   // Graphviz
std::string GraphAsMermaid(const Graph& graph);                           // in Markdown, at GitHub and GitLab
std::string GraphAsSvg(const Graph& graph, const GraphDrawing& drawing);  // a picture
std::string GraphAsHtml(const Graph& graph);                              // one file, nothing from a network

// The colour that an operation has in all of them, and the word for it.
struct GraphLook {
  const char* fill;
  const char* border;
  const char* word;  // "" for what stays
};
GraphLook LookOf(StepOp op);

// For text and attributes of HTML, SVG and XML.
std::string XmlText(const std::string& text);
// The text of a <script type="application/json">: nothing in the data ends the element.
std::string JsonInHtml(const nlohmann::ordered_json& json);

}  // namespace kingpost
