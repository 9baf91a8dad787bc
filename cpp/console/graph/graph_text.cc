// SPDX-License-Identifier: Apache-2.0
// DOT and Mermaid. Components are boxes around their children in both.
#include "console/graph/graph_text.h"

#include <algorithm>

#include "base/markup_entities.h"
#include "console/display/labels.h"
#include "console/display/terminal.h"

namespace kingpost {

namespace {

std::string DotText(const std::string& text) {
  std::string out;
  for (const char c : Printable(text)) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return "\"" + out + "\"";
}

// Mermaid ends labels at quotes and reads entities with "#" in place of "&".
std::string MermaidText(const std::string& text) {
  std::string out;
  for (const char c : Printable(text)) {
    switch (c) {
      case '"':
        out += "#quot;";
        break;
      case '#':
        out += "#35;";
        break;
      case '<':
        out += "#lt;";
        break;
      case '>':
        out += "#gt;";
        break;
      case '`':
        out += "#96;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

std::vector<std::vector<int>> ChildrenOf(const Graph& graph) {
  std::vector<std::vector<int>> children(graph.nodes.size() + 1);  // the last one has no parent
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const int parent = graph.nodes[i].parent;
    children[parent < 0 ? graph.nodes.size() : static_cast<size_t>(parent)].push_back(static_cast<int>(i));
  }
  return children;
}

std::string WordOf(const GraphNode& node) {
  const GraphLook look = LookOf(node.op);
  return *look.word ? look.word + (node.changes.empty() ? "" : ": " + node.changes) : "";
}

// Deeper levels are not indented further: the length of the picture would grow with the square of them.
constexpr size_t kIndentsMax = 30;

// The common part of both languages: nodes in the boxes of their components, each level two columns deeper.
class NestedWriter {
 public:
  virtual ~NestedWriter() = default;

 protected:
  explicit NestedWriter(const Graph& graph) : graph_(graph), children_(ChildrenOf(graph)) {}

  virtual std::string Opening(size_t at, const std::string& indent) const = 0;
  virtual std::string NodeText(size_t at) const = 0;
  virtual const char* Closing() const = 0;

  // Without recursion: components may stand in each other without end.
  void Roots() {
    std::vector<Level> open = {{&children_.back(), 0}};
    while (!open.empty()) {
      Level& level = open.back();
      if (level.next == level.nodes->size()) {
        open.pop_back();
        if (!open.empty()) out_ += Indent(open.size()) + Closing() + "\n";
        continue;
      }
      const size_t at = static_cast<size_t>((*level.nodes)[level.next++]);
      const std::string indent = Indent(open.size());
      const bool is_box = !children_[at].empty();
      if (is_box) out_ += indent + Opening(at, indent) + "\n";
      out_ += indent + (is_box ? "  " : "") + NodeText(at) + "\n";
      if (is_box) open.push_back({&children_[at], 0});
    }
  }

  const Graph& graph_;
  std::string out_;

 private:
  struct Level {
    const std::vector<int>* nodes;
    size_t next;
  };

  static std::string Indent(size_t depth) { return std::string(2 * std::min(depth, kIndentsMax), ' '); }

  const std::vector<std::vector<int>> children_;
};

class DotWriter : public NestedWriter {
 public:
  DotWriter(const Graph& graph, const DotStyle& style) : NestedWriter(graph), style_(style) {}

  std::string Text() {
    const std::string fragment = style_.fragment.empty() ? "" : style_.fragment + "\n";
    out_ = "digraph " + DotText(graph_.title) + " {\n" + fragment + "  rankdir=LR;\n  compound=true;\n" +
           "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];\n" +
           "  edge [color=" + DotText(style_.dependency_color) + ", fontname=\"sans-serif\", fontsize=9];\n";
    Roots();
    for (const GraphEdge& edge : graph_.edges) Edge(edge);
    return out_ + "}\n";
  }

 private:
  std::string Opening(size_t at, const std::string& indent) const override {
    const GraphNode& node = graph_.nodes[at];
    return "subgraph cluster_" + std::to_string(at) + " {\n" + indent +
           "  label=" + DotText(node.name + (node.type.empty() ? "" : " (" + node.type + ")")) +
           "; color=" + DotText(style_.parent_color) + "; style=rounded;";
  }
  const char* Closing() const override { return "}"; }

  std::string NodeText(size_t at) const override {
    const GraphNode& node = graph_.nodes[at];
    const GraphLook look = LookOf(node.op);
    std::string label = Printable(node.name);
    if (!node.type.empty()) label += "\n" + Printable(node.type);
    if (const std::string word = WordOf(node); !word.empty()) label += "\n" + word;
    std::string text;
    for (const char c : label) {
      text += c == '\n' ? std::string("\\n") : c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return "n" + std::to_string(at) + " [label=\"" + text + "\", fillcolor=\"" + look.fill + "\", color=\"" +
           look.border + "\", tooltip=" + DotText(node.urn.str()) + "];";
  }

  // From what is needed to what needs it, as values flow.
  void Edge(const GraphEdge& edge) {
    out_ += "  n" + std::to_string(edge.to) + " -> n" + std::to_string(edge.from);
    if (edge.kind == GraphEdge::Kind::kProvider) out_ += " [style=dotted, tooltip=\"provider\"]";
    if (edge.kind == GraphEdge::Kind::kDeletedWith) out_ += " [style=dashed, tooltip=\"deleted with\"]";
    if (!edge.properties.empty()) out_ += " [label=" + DotText(Joined(edge.properties)) + "]";
    out_ += ";\n";
  }

  const DotStyle& style_;
};

class MermaidWriter : public NestedWriter {
 public:
  explicit MermaidWriter(const Graph& graph) : NestedWriter(graph) {}

  std::string Text() {
    out_ = "flowchart LR\n";
    Roots();
    for (const GraphEdge& edge : graph_.edges) {
      const char* arrow = edge.kind == GraphEdge::Kind::kDependency ? " -->" : " -.->";
      const std::string label = edge.properties.empty() ? "" : "|\"" + MermaidText(Joined(edge.properties)) + "\"|";
      out_ += "  n" + std::to_string(edge.to) + arrow + label + " n" + std::to_string(edge.from) + "\n";
    }
    if (graph_.has_operation) Classes();
    return out_;
  }

 private:
  std::string Opening(size_t at, const std::string&) const override {
    return "subgraph s" + std::to_string(at) + "[\"" + MermaidText(graph_.nodes[at].name) + "\"]";
  }
  const char* Closing() const override { return "end"; }

  std::string NodeText(size_t at) const override {
    const GraphNode& node = graph_.nodes[at];
    std::string label = MermaidText(node.name);
    if (!node.type.empty()) label += "<br/>" + MermaidText(node.type);
    if (const std::string word = WordOf(node); !word.empty()) label += "<br/>" + MermaidText(word);
    const bool marked = *LookOf(node.op).word != 0;
    return "n" + std::to_string(at) + "[\"" + label + "\"]" +
           (marked ? std::string(":::op") + StepOpName(node.op) : "");
  }

  void Classes() {
    for (const StepOp op :
         {StepOp::kCreate, StepOp::kUpdate, StepOp::kDelete, StepOp::kReplace, StepOp::kRead, StepOp::kImport}) {
      const GraphLook look = LookOf(op);
      out_ += std::string("  classDef op") + StepOpName(op) + " fill:" + look.fill + ",stroke:" + look.border +
              ",color:#0f172a\n";
    }
  }
};

}  // namespace

GraphLook LookOf(StepOp op) {
  switch (op) {
    case StepOp::kCreate:
      return {"#bbf7d0", "#15803d", "create"};
    case StepOp::kUpdate:
      return {"#fde68a", "#b45309", "update"};
    case StepOp::kDelete:
    case StepOp::kDiscard:
      return {"#fecaca", "#b91c1c", "delete"};
    case StepOp::kReplace:
    case StepOp::kCreateReplacement:
    case StepOp::kDeleteReplaced:
    case StepOp::kDiscardReplaced:
    case StepOp::kReadReplacement:
    case StepOp::kImportReplacement:
    case StepOp::kRemovePendingReplace:
      return {"#e9d5ff", "#7e22ce", "replace"};
    case StepOp::kRead:
      return {"#bae6fd", "#0369a1", "read"};
    case StepOp::kImport:
      return {"#99f6e4", "#0f766e", "import"};
    case StepOp::kSame:
    case StepOp::kRefresh:
    case StepOp::kDiff:
    case StepOp::kExtendParameterize:
      break;
  }
  return {"#f8fafc", "#64748b", ""};
}

std::string GraphAsDot(const Graph& graph, const DotStyle& style) { return DotWriter(graph, style).Text(); }

std::string GraphAsMermaid(const Graph& graph) { return MermaidWriter(graph).Text(); }

std::string XmlText(const std::string& text) {
  std::string out;
  for (const char c : Printable(text, true)) {
    if (AppendMarkupEntity(c, &out)) continue;
    if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace kingpost
