// SPDX-License-Identifier: Apache-2.0
// graph: the resources of a stack as a picture, as they are recorded or as a preview or a plan would make them.
#include "cli/commands/graph.h"

#include <sys/stat.h>

#include "cli/commands/shared.h"
#include "cli/exit_code.h"
#include "cli/graph/graph_text.h"
#include "cli/operation.h"
#include "cli/stack_access.h"

namespace kingpost {

namespace {

struct GraphOptions {
  OperationFlags operation;  // of --preview
  std::string file, format, plan;
  bool preview = false, providers = false;
};

Result<std::string> FormatOf(const GraphOptions& options) {
  std::string format = options.format;
  if (format.empty()) {
    const size_t dot = options.file.rfind('.');
    const std::string ending = dot == std::string::npos ? "dot" : options.file.substr(dot + 1);
    format = ending == "gv" ? "dot" : ending == "mmd" || ending == "md" ? "mermaid" : ending == "htm" ? "html" : ending;
  }
  for (const char* known : {"dot", "mermaid", "svg", "html"}) {
    if (format == known) return format;
  }
  return UsageError("'" + format + "' is none of dot, mermaid, svg and html; choose one with --format");
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

Status Run(Session& session, GraphOptions& options) {
  if (options.preview && !options.plan.empty()) return UsageError("pass either --preview or --plan, not both");
  const Result<std::string> format = FormatOf(options);
  if (!format.ok()) return format.status();
  Result<Graph> graph = MakeGraph(session, options);
  if (!graph.ok()) return graph.status();
  if (!options.providers) LeaveOutProviders(&*graph);
  const std::string text = *format == "dot"       ? GraphAsDot(*graph)
                           : *format == "mermaid" ? GraphAsMermaid(*graph)
                           : *format == "svg"     ? GraphAsSvg(*graph)
                                                  : GraphAsHtml(*graph);
  if (options.file.empty() || options.file == "-") {
    session.Print(text);
    return Status::Ok();
  }
  if (const Status written = WriteOutput(options.file, text); !written.ok()) return written;
  session.Note("Wrote " + std::to_string(graph->nodes.size()) + " resources to " + options.file);
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
    return [options](Session& session) { return Run(session, *options); };
  };
  commands->push_back({"graph", "Draw the resources of a stack", declare});
  commands->push_back({"stack graph", "Draw the resources of a stack", declare});
}

}  // namespace kingpost
