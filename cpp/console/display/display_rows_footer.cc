// SPDX-License-Identifier: Apache-2.0
// The sections below the list of resources: diagnostics grouped by resource, policies, outputs, summary.
#include <algorithm>

#include "console/display/diff.h"
#include "console/display/display_rows.h"
#include "console/display/labels.h"
#include "console/display/message_formatter.h"
#include "console/display/policy_section.h"
#include "console/display/value_text.h"

namespace kingpost {

namespace {

const PropertyMap& NoProperties() {
  static const PropertyMap none;
  return none;
}

}  // namespace

// Other messages were shown as they came; a reader looks for errors at the end.
std::string DisplayRows::Errors(const Painter& painter) const {
  const auto lines_of = [&](const std::vector<std::string>& errors) {
    std::string lines;
    for (const std::string& error : errors) lines += MessageLines({Severity::kError, error}, painter);
    return lines;
  };
  std::string of_resources, of_stack;
  for (const DisplayRow& row : rows_) {
    if (row.errors.empty()) continue;
    const std::string heading = SourceLine(row.type, row.name, painter);
    const std::string lines = lines_of(row.errors);
    // The stack comes last: its messages conclude those of its resources.
    (row.type == kRootStackType ? of_stack : of_resources) +=
        row.type == kRootStackType ? lines : heading + lines + "\n";
  }
  of_stack += lines_of(loose_errors_);
  if (!of_stack.empty()) {
    of_stack = SourceLine(std::string(kRootStackType), stack_resource_, painter) + of_stack + "\n";
  }
  if (of_resources.empty() && of_stack.empty()) return "";
  return Headline("Diagnostics:", painter) + of_resources + of_stack;
}

std::string DisplayRows::Policies(const Painter& painter) const {
  static const std::map<std::string, std::string> none;
  const PolicySection section{summary_ ? summary_->policy_packs : none, violations_, remediations_,
                              show_.policy_remediations, show_.policy_exceptions};
  return PolicySectionText(section, painter);
}

// Those of a stack that had none are listed without marks, as are those that stayed in an operation. Where the program
// failed before it registered any, all have stayed.
std::string DisplayRows::Outputs(const Painter& painter) const {
  if (show_.suppress_outputs) return "";
  const bool succeeded = summary_ && summary_->result == "succeeded";
  for (const DisplayRow& row : rows_) {
    if (row.type != kRootStackType || row.phase == RowPhase::kWaiting) continue;
    const StepMetadata& step = row.step;
    const bool unregistered = row.steps_running > 0 && !succeeded;
    DiffTextOptions options;
    options.show_secrets = masking_.show_secrets();
    options.masking = &masking_;
    options.full_output = show_.full_output;
    options.align = true;
    const PropertyMap& old_outputs = step.old_state ? step.old_state->outputs : NoProperties();
    const PropertyMap& new_outputs = unregistered     ? old_outputs
                                     : step.new_state ? step.new_state->outputs
                                                      : NoProperties();
    return !step.old_state
               ? PropertiesText(new_outputs, ValueOptions(options, 4))
               : PropertiesDiffText(old_outputs, new_outputs, options, painter, 2, show_.sames || !preview_);
  }
  return "";
}

std::string DisplayRows::Footer(const Painter& painter, bool outputs, bool summary) const {
  std::string out = Errors(painter) + Policies(painter);
  const std::string listed = outputs ? Outputs(painter) : "";
  if (!listed.empty()) out += Headline("Outputs:", painter) + listed + "\n";
  if (show_.config && !prelude_.config.empty()) {
    out += Headline("Configuration:", painter);
    for (const auto& [key, value] : prelude_.config) out += "    " + Printable(key) + ": " + Printable(value) + "\n";
    out += '\n';
  }
  if (summary_ && summary) out += SummaryText(*summary_, {errored_, awaited_}, painter) + "\n";
  if (warnings_ > 0) {
    const std::string count = std::to_string(warnings_) + (warnings_ == 1 ? " warning" : " warnings");
    out += painter.Paint(Style::kYellow, count + ", see above") + "\n";
  }
  return out;
}

}  // namespace kingpost
