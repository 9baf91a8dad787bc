// SPDX-License-Identifier: Apache-2.0
// The page: its template in graph_page.cc, the graph as JSON inside of it.
#include <nlohmann/json.hpp>

#include "console/display/terminal.h"
#include "console/graph/graph_page.h"
#include "console/graph/graph_text.h"

namespace kingpost {

namespace {

nlohmann::ordered_json JsonOf(const Graph& graph) {
  nlohmann::ordered_json nodes = nlohmann::json::array(), edges = nlohmann::json::array();
  for (const GraphNode& node : graph.nodes) {
    nlohmann::ordered_json json = {
        {"urn", node.urn.str()}, {"type", node.type}, {"name", node.name}, {"parent", node.parent}};
    if (node.is_component) json["component"] = true;
    if (node.is_protected) json["protected"] = true;
    if (*LookOf(node.op).word) json["op"] = LookOf(node.op).word;
    if (!node.changes.empty()) json["changes"] = node.changes;
    if (!node.details.empty()) json["details"] = node.details;
    nodes.push_back(std::move(json));
  }
  constexpr const char* kKinds[] = {"value", "provider", "deletedWith"};
  for (const GraphEdge& edge : graph.edges) {
    nlohmann::ordered_json json = {{"from", edge.from}, {"to", edge.to}, {"kind", kKinds[static_cast<int>(edge.kind)]}};
    if (!edge.properties.empty()) json["properties"] = edge.properties;
    edges.push_back(std::move(json));
  }
  nlohmann::ordered_json looks = nlohmann::json::object();
  for (const StepOp op : {StepOp::kSame, StepOp::kCreate, StepOp::kUpdate, StepOp::kReplace, StepOp::kDelete,
                          StepOp::kRead, StepOp::kImport}) {
    const GraphLook look = LookOf(op);
    looks[look.word] = {{"fill", look.fill}, {"border", look.border}};
  }
  nlohmann::ordered_json json = {
      {"title", graph.title}, {"planned", graph.has_operation}, {"nodes", nodes}, {"edges", edges}, {"looks", looks}};
  if (graph.is_of_stacks) json["stacks"] = true;
  return json;
}

void Fill(const std::string& mark, const std::string& with, std::string* page) {
  for (size_t at = page->find(mark); at != std::string::npos; at = page->find(mark, at + with.size())) {
    page->replace(at, mark.size(), with);
  }
}

}  // namespace

std::string JsonInHtml(const nlohmann::ordered_json& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string GraphAsHtml(const Graph& graph) {
  std::string page = kGraphPage;
  Fill("{{title}}", XmlText(graph.title), &page);
  Fill("{{graph}}", JsonInHtml(JsonOf(graph)), &page);
  return page;
}

}  // namespace kingpost
