// --diff: what each step changes, property by property; and the same text for the details of a preview.
#include <unordered_set>

#include "cli/display/diff.h"
#include "cli/display/labels.h"
#include "cli/display/output.h"
#include "cli/display/row_display.h"

namespace kingpost {

namespace {

DiffTextOptions TextOptions(const DisplayOptions& options) {
  DiffTextOptions text;
  text.show_secrets = options.masking->show_secrets();
  text.full_output = options.show.full_output;
  text.urns = options.show.urns;
  return text;
}

class DiffDisplay : public RowDisplay {
 public:
  explicit DiffDisplay(DisplayOptions options) : RowDisplay(std::move(options)) {}

  void Consume(const EngineEvent& event) override {
    rows_.Apply(event, DisplayClock::now());
    if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
      if (pre->metadata.op == StepOp::kRefresh) {
        refreshing_.insert(pre->metadata.urn);
      } else {
        Print(pre->metadata, false);
      }
    } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
      if (refreshing_.erase(outputs->metadata.urn) > 0) Print(outputs->metadata, true);
    }
  }

  void Finish() override { output_.Write("\n" + rows_.Footer(painter_)); }

 private:
  void Print(const StepMetadata& step, bool refresh) {
    if (step.internal || IsRootStack(step) || !ShouldList(step, options_.show)) return;
    DiffTextOptions text = TextOptions(options_);
    text.refresh = refresh;
    output_.Write(StepDiffText(step, text, painter_));
  }

  std::unordered_set<Urn> refreshing_;
};

}  // namespace

std::unique_ptr<EventConsumer> NewDiffDisplay(DisplayOptions options) {
  return std::make_unique<DiffDisplay>(std::move(options));
}

void PreviewDetails::Emit(const EngineEvent& event) {
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
    const StepMetadata& step = pre->metadata;
    if (!step.internal && step.op != StepOp::kRefresh && ShouldList(step, options_.show)) steps_.push_back(step);
  } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
    // A refresh shows at its end what it found.
    const StepMetadata& step = outputs->metadata;
    const bool found = options_.kind == OperationKind::kRefresh && step.op != StepOp::kRefresh;
    if (found && !step.internal && ShouldList(step, options_.show)) steps_.push_back(step);
  }
}

std::string PreviewDetails::Text() const {
  const Painter painter(options_.color);
  DiffTextOptions text = TextOptions(options_);
  text.refresh = options_.kind == OperationKind::kRefresh;
  std::string out;
  for (const StepMetadata& step : steps_) out += StepDiffText(step, text, painter, 2);
  return out.empty() ? "  no changes\n" : out;
}

}  // namespace kingpost
