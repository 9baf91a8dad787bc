// SPDX-License-Identifier: Apache-2.0
// One table, indexed by StepOp.
#include "console/display/labels.h"

#include <cmath>
#include <cstdio>

#include "kingpost/operation_word.h"

namespace kingpost {

namespace {

constexpr StepLabel kLabels[] = {
    {"  ", Style::kNone, "", "", "", "unchanged"},
    {"+ ", Style::kGreen, "create", "creating", "created", "created"},
    {"~ ", Style::kYellow, "update", "updating", "updated", "updated"},
    {"- ", Style::kRed, "delete", "deleting", "deleted", "deleted"},
    {"+-", Style::kMagenta, "replace", "replacing", "replaced", "replaced"},
    {"++", Style::kGreen, "create replacement", "creating replacement", "created replacement", "create-replaced"},
    {"--", Style::kRed, "delete original", "deleting original", "deleted original", "deleted"},
    {"> ", Style::kCyan, "read", "reading", "read", "read"},
    {">>", Style::kMagenta, "read for replacement", "reading for replacement", "read for replacement", "read-replaced"},
    {"~ ", Style::kYellow, "refresh", "refreshing", "refreshed", "refreshed"},
    {"< ", Style::kRed, "discard", "discarding", "discarded", "discarded"},
    {"<<", Style::kRed, "discard original", "discarding original", "discarded original", "discarded"},
    {"~ ", Style::kNone, "", "", "", "removed"},
    {"= ", Style::kGreen, "import", "importing", "imported", "imported"},
    {"=>", Style::kMagenta, "import replacement", "importing replacement", "imported replacement", "imported"},
    {"~ ", Style::kNone, "diff", "comparing", "compared", "compared"},
    {"  ", Style::kNone, "", "", "", "extended"},
};
static_assert(sizeof kLabels / sizeof kLabels[0] == static_cast<int>(StepOp::kExtendParameterize) + 1);

constexpr StepOp kNotCounted[] = {StepOp::kSame, StepOp::kRead, StepOp::kDiscard, StepOp::kReadReplacement};

bool IsCounted(StepOp op) {
  for (StepOp quiet : kNotCounted) {
    if (op == quiet) return false;
  }
  return true;
}

const char* Verb(OperationKind kind) {
  switch (kind) {
    case OperationKind::kUpdate:
      return "Updating";
    case OperationKind::kRefresh:
      return "Refreshing";
    case OperationKind::kDestroy:
      return "Destroying";
    case OperationKind::kImport:
      return "Importing";
  }
  return "";
}

}  // namespace

const StepLabel& LabelOf(StepOp op) { return kLabels[static_cast<int>(op)]; }

std::string OperationTitle(OperationKind kind, bool preview, const std::string& stack) {
  return (preview ? "Previewing " + OperationWord(kind) : Verb(kind)) + " (" + stack + "):";
}

std::string ShortDuration(double seconds) {
  char text[32];
  if (seconds < 1) {
    std::snprintf(text, sizeof text, "%.2fs", std::max(0.0, seconds));
  } else if (seconds < 60) {
    std::snprintf(text, sizeof text, "%ds", static_cast<int>(seconds));
  } else if (seconds < 3600) {
    std::snprintf(text, sizeof text, "%dm%ds", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
  } else {
    const int whole = static_cast<int>(seconds);
    std::snprintf(text, sizeof text, "%dh%dm%ds", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return text;
}

std::string RoundDuration(std::chrono::seconds duration) {
  const auto seconds = duration.count();
  if (seconds < 60) return std::to_string(seconds) + "s";
  const std::string minutes = std::to_string(seconds / 60 % 60) + "m";
  return seconds < 3600 ? minutes : std::to_string(seconds / 3600) + "h" + minutes;
}

std::string Headline(const char* text, const Painter& painter) {
  return painter.Paint(Style::kMagenta, painter.Bold(text)) + "\n";
}

std::string Indented(const std::string& text, int indent) {
  std::string out;
  size_t start = 0;
  while (start <= text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    line.erase(line.find_last_not_of(" \t\r") + 1);
    out += (line.empty() ? "" : std::string(indent, ' ')) + line + "\n";
    start = end + 1;
  }
  return out;
}

std::string SummaryText(const SummaryEvent& summary, const UnfinishedCounts& unfinished, const Painter& painter) {
  const auto count_of = [&](StepOp op) {
    const auto found = summary.resource_changes.find(StepOpName(op));
    return found == summary.resource_changes.end() ? 0 : found->second;
  };

  std::string out = Headline("Resources:", painter);
  int kinds = 0;
  int changes = 0;
  for (int i = 0; i <= static_cast<int>(StepOp::kExtendParameterize); ++i) {
    const StepOp op = static_cast<StepOp>(i);
    const int count = count_of(op);
    if (count == 0 || !IsCounted(op)) continue;
    ++kinds;
    changes += count;
    const StepLabel& label = LabelOf(op);
    const std::string what = summary.is_preview ? std::string("to ") + StepOpName(op) : label.counted;
    out += "    " + painter.Paint(label.style, label.mark + std::to_string(count) + " " + what) + "\n";
  }

  std::string totals;
  if (kinds > 1) totals = painter.Bold(std::to_string(changes) + " changes");
  if (const int same = count_of(StepOp::kSame); same > 0) {
    totals += (totals.empty() ? "" : ". ") + std::to_string(same) + " unchanged";
  }
  if (!totals.empty()) out += "    " + totals + "\n";
  const auto add = [&](int count, Style style, const char* what) {
    if (count > 0) out += "    " + painter.Paint(style, std::to_string(count) + what) + "\n";
  };
  add(unfinished.errored, Style::kRed, " errored");
  add(unfinished.awaited, Style::kYellow, " awaiting");
  if (!summary.is_preview) {
    out += "\n" + painter.Paint(Style::kMagenta, painter.Bold("Duration:")) + " " +
           ShortDuration(std::max(1.0, std::ceil(summary.duration_s))) + "\n";
  }
  return out;
}

}  // namespace kingpost
