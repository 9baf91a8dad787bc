// SPDX-License-Identifier: Apache-2.0
// graph: the resources of a stack as a picture, as they are recorded or as a preview or a plan would make them.

#include <sys/stat.h>

#include "cli/commands/add_commands.h"
#include "cli/fleet/fleet.h"
#include "cli/operations/operation.h"
#include "cli/session/command.h"
#include "cli/session/exit_code.h"
#include "cli/session/flags.h"
#include "cli/session/session.h"
#include "cli/session/stack_access.h"
#include "cli/session/user_files.h"
#include "console/graph/graph_drawing.h"
#include "console/graph/graph_text.h"
#include "console/graph/stack_graph.h"

namespace kingpost {

namespace {

struct GraphOptions {
  OperationFlags operation;  // of --preview
  std::string file, format, plan;
  bool preview = false, providers = false;
  bool ignore_parents = false, ignore_dependencies = false, short_names = false;
  DotStyle dot;
  FleetFlags fleet;
};

Result<std::string> FormatOf(const GraphOptions& options) {
  if (options.format.empty()) {
    const size_t dot = options.file.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : options.file.substr(dot + 1);
    if (ending == "mmd" || ending == "md") return std::string("mermaid");
    if (ending == "html" || ending == "htm") return std::string("html");
    return std::string(ending == "svg" ? "svg" : "dot");  // scripts of the reference write DOT into files of any name
  }
  for (const char* known : {"dot", "mermaid", "svg", "html"}) {
    if (options.format == known) return options.format;
  }
  return UsageError("'" + options.format + "' is none of dot, mermaid, svg and html; choose one with --format");
}

// The part that the flags choose.
void Reduce(const GraphOptions& options, Graph* graph) {
  if (!options.providers) LeaveOutProviders(graph);
  if (options.ignore_parents) LeaveOutParents(graph);
  if (options.ignore_dependencies) LeaveOutDependencies(graph);
  if (options.short_names) LeaveOutTypes(graph);
}

// Collects steps; what a refresh found is told at its end.
class StepList : public EventSink {
 public:
  void Emit(const EngineEvent& event) override {
    const auto* pre = std::get_if<ResourcePreEvent>(&event);
    if (pre && !pre->metadata.internal) steps.push_back(pre->metadata);
  }
  std::vector<StepMetadata> steps;
};

Result<Graph> MakeGraph(Session& session, GraphOptions& options) {
  const Result<StackName> stack = session.FindStack(options.operation.stack);
  if (!stack.ok()) return stack.status();
  const Result<Snapshot> snapshot = ReadSnapshot(session, *stack);
  if (!snapshot.ok()) return snapshot.status();
  const std::string title = stack->project + "/" + stack->name;
  if (!options.plan.empty()) {
    const Result<std::string> json = ReadInput(options.plan);
    if (!json.ok()) return json.status();
    return GraphOfPlan(*snapshot, *json, title + ", as planned");
  }
  if (!options.preview) return GraphOfState(*snapshot, title);
  StepList list;
  const Status previewed = PreviewQuietly(session, options.operation, &list);
  if (!previewed.ok()) return previewed;
  return GraphOfPreview(*snapshot, list.steps, Masking(), title + ", as previewed");
}

// --all: boxes and arrows, and in a page the resources besides.
Result<Graph> MakeGraphOfAll(Session& session, const GraphOptions& options, bool resources) {
  if (options.preview || !options.plan.empty()) {
    return UsageError("--preview and --plan colour the resources of one stack; leave out --all");
  }
  Result<Fleet> fleet = OpenFleet(session, options.fleet, options.operation.stack);
  if (!fleet.ok()) return fleet.status();
  if (const Status selected = SelectMembers(options.fleet, &*fleet); !selected.ok()) return selected;
  std::vector<StackPicture> stacks;
  for (const FleetMember& member : fleet->members) {
    StackPicture& picture = stacks.emplace_back();
    picture.name = member.name;
    picture.reads = member.references;
    if (!resources) continue;
    SessionContext surroundings;
    surroundings.folder = member.folder;
    surroundings.store = member.store;
    Session inside(session.globals(), std::move(surroundings));
    Result<Snapshot> snapshot = ReadSnapshot(inside, member.stack);
    if (!snapshot.ok()) return snapshot.status().Wrap(member.name);
    picture.snapshot = *std::move(snapshot);
  }
  return GraphOfStacks(stacks, resources, "Stacks below " + fleet->folder);
}

std::string Picture(const Graph& graph) {
  const Result<GraphDrawing> drawing = DrawByGraphviz(graph);
  return GraphAsSvg(graph, drawing.ok() ? *drawing : DrawInColumns(graph));
}

Status Run(Session& session, GraphOptions& options) {
  if (options.preview && !options.plan.empty()) return UsageError("pass either --preview or --plan, not both");
  const Result<std::string> format = FormatOf(options);
  if (!format.ok()) return format.status();
  if (*format != "dot" && !(options.dot == DotStyle())) {
    return UsageError("--dot-fragment and colours of edges are for DOT, not for " + *format + "; choose --format dot");
  }
  Result<Graph> graph =
      options.fleet.all ? MakeGraphOfAll(session, options, *format == "html") : MakeGraph(session, options);
  if (!graph.ok()) return graph.status();
  Reduce(options, &*graph);
  const std::string text = *format == "dot"       ? GraphAsDot(*graph, options.dot)
                           : *format == "mermaid" ? GraphAsMermaid(*graph)
                           : *format == "svg"     ? Picture(*graph)
                                                  : GraphAsHtml(*graph);
  if (options.file.empty() || options.file == "-") {
    session.Print(text);
    return Status::Ok();
  }
  if (const Status written = WriteOutput(options.file, text); !written.ok()) return written;
  session.Note("Wrote " + std::to_string(graph->nodes.size()) +
               (graph->is_of_stacks ? " stacks and resources to " : " resources to ") + options.file);
  return Status::Ok();
}

}  // namespace

void AddGraphCommand(Commands* commands) {
  const auto declare = [](Flags& flags) -> CommandBody {
    auto options = std::make_shared<GraphOptions>();
    options->operation.is_preview_command = true;
    flags.Argument("FILE", &options->file, "Where to write it; standard output by default");
    flags.Text("-s,--stack", &options->operation.stack, "The stack; the selected one by default");
    flags.Text("--format", &options->format, "dot, mermaid, svg or html; what the file's name ends with by default");
    flags.Switch("--preview", &options->preview, "Run the program and colour what an update would do");
    flags.Text("--plan", &options->plan, "Colour what this plan of 'preview --save-plan' would do");
    flags.Switch("--providers", &options->providers, "Show providers too");
    flags.Switch("--ignore-parent-edges", &options->ignore_parents, "Do not show whose child a resource is");
    flags.Switch("--ignore-dependency-edges", &options->ignore_dependencies,
                 "Do not show which values a resource needs");
    flags.Switch("--short-node-name", &options->short_names, "Call resources by their names, without types");
    flags.Text("--dependency-edge-color", &options->dot.dependency_color, "Colour of dependencies in DOT");
    flags.Text("--parent-edge-color", &options->dot.parent_color, "Colour of the boxes around children in DOT");
    flags.Text("--dot-fragment", &options->dot.fragment, "Text for the top of the DOT graph, such as its attributes");
    flags.Section("Many stacks");
    flags.OptionalText("--all", &options->fleet.folder, ".",
                       "Stacks as boxes, references as arrows, of every project below this folder that has the stack");
    DeclareFleetSelection(&flags, &options->fleet);
    return [options, &flags](Session& session) -> Status {
      options->fleet.all = !options->fleet.folder.empty();
      if (const Status many = CheckFleetFlags(flags, options->fleet); !many.ok()) return many;
      return Run(session, *options);
    };
  };
  commands->push_back({"graph", "Draw the resources of a stack", declare});
  commands->push_back({"stack graph", "Draw the resources of a stack", declare});
}

}  // namespace kingpost
