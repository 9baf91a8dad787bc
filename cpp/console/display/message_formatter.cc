// SPDX-License-Identifier: Apache-2.0
#include "console/display/message_formatter.h"

#include "console/display/labels.h"
#include "console/display/outcome_notes.h"

namespace kingpost {

namespace {

constexpr int kTextIndent = 4;

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

}  // namespace

std::string MessageLines(const RowMessage& message, const Painter& painter) {
  const SeverityLabel label = LabelOf(message.severity);
  return Indented(painter.Paint(label.style, label.word) + message.text, kTextIndent);
}

std::string SourceLine(const std::string& type, const std::string& name, const Painter& painter) {
  return "  " + painter.Paint(Style::kBlue, Printable(type) + " (" + Printable(name) + "):") + "\n";
}

std::string MessageFormatter::FormatMessage(const RowChange& change, const Painter& painter) {
  if (!change.said) return "";
  RowMessage message = *change.said;
  if (message.severity == Severity::kError) {
    // A resource's row tells it; the stack has long reports, of which the end shows the rest.
    const bool by_stack = !change.row || change.row->type == kRootStackType;
    if (!by_stack || message.text.find('\n') == std::string::npos) return "";
    message.text = ErrorInOneLine(message.text);
  }
  const std::string type = change.row ? change.row->type : std::string(kRootStackType);
  const std::string name = change.row ? change.row->name : stack_resource_;
  const std::string heading = SourceLine(type, name, painter);
  const bool goes_on = heading == speaker_;
  speaker_ = heading;
  return (goes_on ? "" : heading) + MessageLines(message, painter);
}

}  // namespace kingpost
