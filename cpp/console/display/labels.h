// SPDX-License-Identifier: Apache-2.0
// The words, marks and colours of operations, the same in every display.
#pragma once

#include <chrono>
#include <string>

#include "console/display/terminal.h"
#include "kingpost/engine.h"
#include "kingpost/event.h"

namespace kingpost {

struct StepLabel {
  const char* mark;  // two columns: "+ ", "+-"
  Style style;
  const char* planned;  // "create"
  const char* doing;    // "creating"
  const char* done;     // "created"
  const char* counted;  // in a summary: "created", "deleted"
};
const StepLabel& LabelOf(StepOp op);

// "Updating (dev):", "Previewing destroy (dev):"
std::string OperationTitle(OperationKind kind, bool preview, const std::string& stack);

// The title of a section, and lines of one that stand in `indent` columns, without blanks at their ends; both end with
// a line break.
std::string Headline(const char* text, const Painter& painter);
std::string Indented(const std::string& text, int indent);

// "12s", "0.31s", "2m3s"
std::string ShortDuration(double seconds);
// "30s", "4m", "1h3m": no finer than that.
std::string RoundDuration(std::chrono::seconds duration);
// Resources that did not end as they should.
struct UnfinishedCounts {
  int errored = 0, awaited = 0;
};
// "Resources:", one line per kind of change, totals, and for updates the duration; ends with a line break.
std::string SummaryText(const SummaryEvent& summary, const UnfinishedCounts& unfinished, const Painter& painter);

}  // namespace kingpost
