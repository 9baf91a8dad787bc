// SPDX-License-Identifier: Apache-2.0
// --diff: what each step changes, property by property; and the same text for the details of a preview.
#include <unordered_map>
#include <unordered_set>

#include "console/display/diff.h"
#include "console/display/labels.h"
#include "console/display/output.h"
#include "console/display/row_display.h"

namespace kingpost {

namespace {

DiffTextOptions TextOptions(const DisplayOptions& options) {
  DiffTextOptions text;
  text.show_secrets = options.masking->show_secrets();
  text.masking = options.masking.get();
  text.full_output = options.show.full_output;
  text.urns = options.show.urns;
  text.explain = options.show.explain;
  text.align = true;
  return text;
}

bool IsListed(const StepMetadata& step, const ShowOptions& show) {
  const bool reads = step.op == StepOp::kRead || step.op == StepOp::kReadReplacement;
  return !step.internal && (reads || IsRootStack(step) || ShouldList(step, show));
}

// Children stand below and to the right of their parents that are listed. What is deleted goes before its parent and is
// not.
class Depths {
 public:
  void Learn(const StepMetadata& step, bool listed) {
    const StatePtr& state = step.new_state ? step.new_state : step.old_state;
    known_[step.urn] = {state ? state->parent : Urn(), listed};
  }

  int Of(const Urn& urn) const {
    int depth = 0;
    for (auto at = known_.find(urn); at != known_.end();) {
      at = known_.find(at->second.parent);
      if (at != known_.end() && at->second.listed) ++depth;
    }
    return depth;
  }

 private:
  struct Known {
    Urn parent;
    bool listed;
  };
  std::unordered_map<Urn, Known> known_;
};

class DiffDisplay : public RowDisplay {
 public:
  explicit DiffDisplay(DisplayOptions options) : RowDisplay(std::move(options)) {}

  void Consume(const EngineEvent& event) override {
    const RowChange change = rows_.Apply(event, options_.now());
    if (change.said) Write(speech_.FormatMessage(change, painter_));
    if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) {
      depths_.Learn(pre->metadata, IsListed(pre->metadata, options_.show));
      if (pre->metadata.op == StepOp::kRefresh) {
        refreshing_.insert(pre->metadata.urn);
      } else {
        Print(pre->metadata, false);
      }
    } else if (const auto* outputs = std::get_if<ResourceOutputsEvent>(&event)) {
      if (refreshing_.erase(outputs->metadata.urn) > 0) {
        Print(outputs->metadata, true);
      } else {
        PrintOutputs(outputs->metadata);
      }
    }
  }

  void Tick() override { Write(TakeInterruption()); }

  void Finish() override {
    rows_.Settle(options_.now());
    const std::string outputs = rows_.Outputs(painter_);
    // The stack's end the list, as those of resources stand in it.
    const std::string listed = outputs.empty() ? "" : OutputsHeading(0) + outputs;
    Write(listed + "\n" + rows_.Footer(painter_, false, !options_.is_part_of_fleet) + LeftPending());
  }

 private:
  void Print(const StepMetadata& step, bool refresh) {
    if (!IsListed(step, options_.show)) return;
    DiffTextOptions text = TextOptions(options_);
    text.refresh = refresh;
    speech_.Interrupt();
    Write(StepDiffText(step, text, painter_, Indent(step)));
  }

  // Those of the stack are at the end. A preview knows of others only what a read has found.
  void PrintOutputs(const StepMetadata& step) {
    if (!IsListed(step, options_.show) || IsRootStack(step)) return;
    if (options_.preview && step.op != StepOp::kRead) return;
    speech_.Interrupt();
    Write(StepOutputsText(step, TextOptions(options_), painter_, Indent(step)));
  }

  int Indent(const StepMetadata& step) const { return 4 * depths_.Of(step.urn); }

  Depths depths_;
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
