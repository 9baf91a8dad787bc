// The sections below the list of resources: diagnostics grouped by resource, policies, outputs, summary.
#include <algorithm>

#include "cli/display/diff.h"
#include "cli/display/labels.h"
#include "cli/display/policy_section.h"
#include "cli/display/rows.h"

namespace kingpost {

namespace {

struct SeverityLabel {
  const char* word;
  Style style;
};
SeverityLabel LabelOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return {"error: ", Style::kRed};
    case Severity::kWarning:
      return {"warning: ", Style::kYellow};
    case Severity::kDebug:
      return {"debug: ", Style::kDim};
    case Severity::kInfo:
    case Severity::kInfoErr:
      return {"", Style::kNone};
  }
  return {"", Style::kNone};
}

std::string MessageLines(const std::vector<RowMessage>& messages, const Painter& painter) {
  std::string out;
  for (const RowMessage& message : messages) {
    const SeverityLabel label = LabelOf(message.severity);
    out += Indented(painter.Paint(label.style, label.word) + message.text, 4);
  }
  return out;
}

const PropertyMap& NoProperties() {
  static const PropertyMap none;
  return none;
}

}  // namespace

std::string Rows::Diagnostics(const Painter& painter) const {
  std::string out;
  // The stack comes last: its messages conclude those of its resources.
  std::vector<const Row*> order;
  for (const Row& row : rows_) {
    if (row.type != kRootStackType) order.push_back(&row);
  }
  for (const Row& row : rows_) {
    if (row.type == kRootStackType) order.push_back(&row);
  }
  for (const Row* row : order) {
    if (row->messages.empty()) continue;
    const std::string title = Printable(row->type) + " (" + Printable(row->name) + "):";
    out += "  " + painter.Paint(Style::kBlue, title) + "\n" + MessageLines(row->messages, painter) + "\n";
  }
  if (!loose_messages_.empty()) out += MessageLines(loose_messages_, painter) + "\n";
  return out.empty() ? "" : Headline("Diagnostics:", painter) + out;
}

std::string Rows::Policies(const Painter& painter) const {
  static const std::map<std::string, std::string> none;
  const PolicySection section{summary_ ? summary_->policy_packs : none, violations_, remediations_,
                              show_.policy_remediations};
  return PolicySectionText(section, painter);
}

std::string Rows::Outputs(const Painter& painter) const {
  if (show_.suppress_outputs) return "";
  for (const Row& row : rows_) {
    if (row.type != kRootStackType || row.phase == RowPhase::kWaiting) continue;
    const StepMetadata& step = row.step;
    DiffTextOptions options;
    options.show_secrets = masking_.show_secrets();
    options.full_output = show_.full_output;
    const PropertyMap& old_outputs = step.old_state ? step.old_state->outputs : NoProperties();
    const PropertyMap& new_outputs = step.new_state ? step.new_state->outputs : NoProperties();
    const std::string text = PropertiesDiffText(old_outputs, new_outputs, options, painter, 2, true);
    return text.empty() ? "" : Headline("Outputs:", painter) + text + "\n";
  }
  return "";
}

std::string Rows::Footer(const Painter& painter) const {
  std::string out = Diagnostics(painter) + Policies(painter) + Outputs(painter);
  if (show_.config && !prelude_.config.empty()) {
    out += Headline("Configuration:", painter);
    for (const auto& [key, value] : prelude_.config) out += "    " + Printable(key) + ": " + Printable(value) + "\n";
    out += "\n";
  }
  if (summary_) out += SummaryText(*summary_, errored_, painter) + "\n";
  return out;
}

}  // namespace kingpost
