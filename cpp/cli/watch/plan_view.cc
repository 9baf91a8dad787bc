// SPDX-License-Identifier: Apache-2.0
#include "cli/watch/plan_view.h"

#include <utility>

#include "console/display/diff.h"
#include "console/display/explanation.h"
#include "console/display/labels.h"
#include "console/display/row_tree.h"

namespace kingpost {

namespace {

constexpr int kAnyColumns = 10000;

std::string StepText(const StepMetadata& step) {
  DiffTextOptions options;
  options.full_output = true;
  options.summary = true;
  return StepDiffText(step, options, Painter(false));
}

}  // namespace

PlanView::PlanView(DisplayOptions options)
    : options_(options),
      painter_(options.color),
      rows_(options.show, true, options_.masking.get(), options.StackResource()),
      speech_(options.StackResource()),
      details_(std::move(options)) {}

void PlanView::Emit(const EngineEvent& event) {
  details_.Emit(event);
  if (std::holds_alternative<ProgressEvent>(event)) return;
  if (const auto* pre = std::get_if<ResourcePreEvent>(&event)) Keep(pre->metadata);
  if (const auto* failed = std::get_if<ResourceFailedEvent>(&event)) failed_ = failed_ || !failed->awaited;
  const RowChange change = rows_.Apply(event, options_.now());
  if (change.said) said_ += speech_.FormatMessage(change, painter_);
}

void PlanView::Keep(const StepMetadata& step) {
  if (step.internal || !ShouldList(step, options_.show)) return;
  // The last step of a replacement stands for all of its steps.
  steps_[step.urn] = {step, StepText(step)};
}

void PlanView::Settle() { rows_.Settle(options_.now()); }

std::string PlanView::Text(int columns, bool as_diff) const {
  const int width = columns > 0 ? columns : kAnyColumns;
  std::string text = columns > 0 ? WrapLines(said_, columns, 2) : said_;
  if (!text.empty()) text += '\n';
  std::string list;
  if (as_diff) {
    list = Details();
  } else {
    const std::vector<TreeLine> tree = TreeOf(rows_, [this](const DisplayRow& row) { return rows_.IsListed(row); });
    const TableStyle look{width, false, "Plan", options_.show.explain};
    for (const std::string& line : TableLines(rows_, tree, look, options_.now(), painter_)) list += line + "\n";
  }
  if (!list.empty()) text += list + "\n";
  const std::string footer = rows_.Footer(painter_);
  return text + (columns > 0 ? WrapLines(footer, columns, 2) : footer);
}

std::string PlanView::Line(const char* mark, const Step& step, const std::string& words, bool why) const {
  const StepLabel& label = LabelOf(step.metadata.op);
  std::string line = "  " + painter_.Paint(label.style, mark) + " " + Printable(step.metadata.type) + " " +
                     Printable(step.metadata.urn.name()) + ": " + words;
  const std::vector<std::string> reasons = why ? Explanation(step.metadata, false) : std::vector<std::string>();
  for (const std::string& reason : reasons) line += "\n      " + painter_.Paint(Style::kDim, reason);
  return line + "\n";
}

std::string PlanView::ChangesSince(const PlanView& before) const {
  std::string lines;
  for (const auto& [urn, step] : steps_) {
    const std::string planned = LabelOf(step.metadata.op).planned;
    const auto former = before.steps_.find(urn);
    if (former == before.steps_.end()) {
      lines += Line("+", step, "now " + planned, true);
    } else if (former->second.metadata.op != step.metadata.op) {
      const std::string was = LabelOf(former->second.metadata.op).planned;
      lines += Line("~", step, "now " + planned + ", before " + was, true);
    } else if (former->second.text != step.text) {
      lines += Line("~", step, planned + " with other properties", true);
    }
  }
  for (const auto& [urn, step] : before.steps_) {
    if (steps_.count(urn) == 0)
      lines += Line("-", step, std::string("no longer ") + LabelOf(step.metadata.op).planned, false);
  }
  return lines;
}

}  // namespace kingpost
