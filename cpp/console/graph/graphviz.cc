// SPDX-License-Identifier: Apache-2.0
// Graphviz, loaded at run time by those who want a picture. It gets boxes without text and answers in its format
// "plain". So nothing here depends on the layout of its structures in memory, and one build works with all its
// versions.
#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <initializer_list>
#include <sstream>
#include <string>

#include "console/graph/graph_drawing.h"

namespace kingpost {

namespace {

constexpr double kPixelsPerInch = 72;

struct GraphvizLibrary {
  void* (*context)() = nullptr;
  int (*free_context)(void* context) = nullptr;
  void* (*read)(const char* text) = nullptr;
  int (*close)(void* graph) = nullptr;
  int (*lay_out)(void* context, void* graph, const char* engine) = nullptr;
  int (*free_layout)(void* context, void* graph) = nullptr;
  // The length is an unsigned int up to version 10 and a size_t since; the text ends with a zero in all of them.
  int (*render)(void* context, void* graph, const char* format, char** text, size_t* length) = nullptr;
  void (*free_text)(char* text) = nullptr;
  int (*set_error_level)(int level) = nullptr;
};

constexpr int kNoErrors = 2;  // AGMAX: nothing is written to standard error

template <class Function>
bool FindFunction(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

void* OpenFirst(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

Result<const GraphvizLibrary*> LoadGraphviz() {
  void* layouts = OpenFirst({"libgvc.so.6", "libgvc.so.7"});
  void* graphs = OpenFirst({"libcgraph.so.6", "libcgraph.so.7", "libcgraph.so.8"});
  if (!layouts || !graphs) {
    return Status(Code::kUnavailable, "Graphviz is not installed (the package libgvc6 of Debian and Ubuntu)");
  }
  static GraphvizLibrary library;
  const bool complete = FindFunction(layouts, "gvContext", &library.context) &&
                        FindFunction(layouts, "gvFreeContext", &library.free_context) &&
                        FindFunction(graphs, "agmemread", &library.read) &&
                        FindFunction(graphs, "agclose", &library.close) &&
                        FindFunction(layouts, "gvLayout", &library.lay_out) &&
                        FindFunction(layouts, "gvFreeLayout", &library.free_layout) &&
                        FindFunction(layouts, "gvRenderData", &library.render) &&
                        FindFunction(layouts, "gvFreeRenderData", &library.free_text) &&
                        FindFunction(graphs, "agseterr", &library.set_error_level);
  if (!complete) return Status(Code::kUnavailable, "Graphviz cannot be used: reinstall libgvc and libcgraph");
  library.set_error_level(kNoErrors);
  return &library;
}

// Names of nodes and colours of lines are their numbers, as they come back.
std::string TextForGraphviz(const Graph& graph, const std::vector<GraphLine>& lines) {
  std::ostringstream out;
  out << "digraph { rankdir=LR; nodesep=0.25; ranksep=1.1; edge [dir=none];\nnode [shape=box fixedsize=true label=\"\" "
      << "width=" << kBoxWidth / kPixelsPerInch << " height=" << kBoxHeight / kPixelsPerInch << "];\n";
  for (size_t i = 0; i < graph.nodes.size(); ++i) out << "n" << i << ";\n";
  for (size_t i = 0; i < lines.size(); ++i) {
    char colour[16];
    std::snprintf(colour, sizeof colour, "#%06x", static_cast<unsigned>(i));
    out << "n" << lines[i].from << " -> n" << lines[i].to << " [color=\"" << colour << "\"];\n";
  }
  out << "}\n";
  return out.str();
}

Result<std::string> Plain(const GraphvizLibrary& library, const std::string& text) {
  void* context = library.context();
  void* graph = library.read(text.c_str());
  std::string plain;
  if (graph && library.lay_out(context, graph, "dot") == 0) {
    char* rendered = nullptr;
    size_t length = 0;
    if (library.render(context, graph, "plain", &rendered, &length) == 0 && rendered) {
      plain = rendered;
      library.free_text(rendered);
    }
    library.free_layout(context, graph);
  }
  if (graph) library.close(graph);
  library.free_context(context);
  if (plain.empty()) return Status(Code::kInternal, "Graphviz could not lay out the graph");
  return plain;
}

// The words of "plain", with numbers as the C locale has them.
class PlainWords {
 public:
  explicit PlainWords(const std::string& line) : words_(line) {}

  std::string Word() {
    std::string word;
    words_ >> word;
    return word;
  }
  double Number() {
    const std::string word = Word();
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) ok_ = false;
    return number;
  }
  // Inches from the bottom become pixels, downwards; where they begin is FitToContent's business.
  GraphDrawing::Point Point() {
    const double x = Number(), y = Number();
    return {x * kPixelsPerInch, -y * kPixelsPerInch};
  }
  // The number after the letter of a node, or after the sign of a colour.
  size_t Index(size_t count, int base) {
    const std::string word = Word();
    size_t index = count;
    if (!word.empty()) std::from_chars(word.data() + 1, word.data() + word.size(), index, base);
    if (index >= count) ok_ = false;
    return ok_ ? index : 0;
  }
  bool ok() const { return ok_; }

 private:
  std::istringstream words_;
  bool ok_ = true;
};

// node NAME X Y ... and edge TAIL HEAD COUNT X Y ... STYLE COLOUR; a long line goes on after a backslash.
Result<GraphDrawing> DrawingOf(const std::string& plain, size_t nodes, size_t lines) {
  GraphDrawing drawing;
  drawing.corners.resize(nodes);
  drawing.curves.resize(lines);
  std::istringstream rest(plain);
  size_t found = 0;
  for (std::string line; std::getline(rest, line);) {
    while (!line.empty() && line.back() == '\\') {
      line.pop_back();
      std::string more;
      if (!std::getline(rest, more)) break;
      line += more;
    }
    PlainWords words(line);
    const std::string what = words.Word();
    if (what == "node") {
      const size_t node = words.Index(nodes, 10);
      const GraphDrawing::Point middle = words.Point();
      drawing.corners[node] = {middle.x - kBoxWidth / 2, middle.y - kBoxHeight / 2};
      ++found;
    } else if (what == "edge") {
      words.Word();
      words.Word();
      std::vector<GraphDrawing::Point> curve(static_cast<size_t>(std::max(0.0, std::min(words.Number(), 1e5))));
      for (GraphDrawing::Point& point : curve) point = words.Point();
      words.Word();
      const size_t which = words.Index(lines, 16);
      if (curve.size() % 3 != 1 || !words.ok()) return Status(Code::kInternal, "Graphviz says: " + line);
      drawing.curves[which] = std::move(curve);
      ++found;
    }
    if (!words.ok()) return Status(Code::kInternal, "Graphviz says: " + line);
  }
  if (found != nodes + lines) return Status(Code::kInternal, "Graphviz left out a box or a line of the graph");
  FitToContent(&drawing);
  return drawing;
}

}  // namespace

Result<GraphDrawing> DrawByGraphviz(const Graph& graph) {
  const std::vector<GraphLine> lines = LinesOf(graph);
  if (graph.nodes.size() + lines.size() > kGraphvizPartsMax) {
    return Status(Code::kUnavailable, "the graph is too large for Graphviz");
  }
  static const Result<const GraphvizLibrary*> library = LoadGraphviz();
  if (!library.ok()) return library.status();
  const Result<std::string> plain = Plain(**library, TextForGraphviz(graph, lines));
  if (!plain.ok()) return plain.status();
  return DrawingOf(*plain, graph.nodes.size(), lines.size());
}

}  // namespace kingpost
