// SPDX-License-Identifier: Apache-2.0
// The chart: a row for each step, its bar where it ran, in the colours of the pictures of stacks.
#include <cstdio>
#include <set>

#include "cli/timings/timings_file.h"
#include "console/display/labels.h"
#include "console/graph/graph.h"
#include "console/graph/graph_text.h"

namespace kingpost {

namespace {

constexpr char kHead[] = R"page(<style>
  body { margin: 16px 20px; font: 13px system-ui, sans-serif; color: #0f172a; }
  h1 { font-size: 16px; margin: 0 0 4px; } p { margin: 4px 0 12px; color: #475569; }
  input[type=search] { font: inherit; padding: 4px 8px; width: 240px; border: 1px solid #94a3b8; border-radius: 5px; }
  label { margin-left: 12px; }
  .row { display: grid; grid-template-columns: 260px 1fr 80px; gap: 10px; align-items: center; height: 22px; }
  .row:hover { background: #f1f5f9; } .row.critical .name { font-weight: 600; }
  .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .lane { position: relative; height: 14px; border-left: 1px solid #e2e8f0; border-right: 1px solid #e2e8f0; }
  .bar { position: absolute; top: 0; bottom: 0; min-width: 2px; border: 1px solid; border-radius: 3px; }
  .row.critical .bar { box-shadow: 0 0 0 2px #1d4ed855; border-color: #1d4ed8 !important; }
  .row.failed .time { color: #b91c1c; } .time { text-align: right; font-variant-numeric: tabular-nums; }
</style>
</head>
<body>
)page";

constexpr char kTail[] = R"page(<script>
"use strict";
const search = document.getElementById("search"), critical = document.getElementById("critical");
function filter() {
  const text = search.value.toLowerCase();
  for (const row of document.querySelectorAll(".row")) {
    row.hidden = !row.title.toLowerCase().includes(text) || (critical.checked && !row.classList.contains("critical"));
    row.style.display = row.hidden ? "none" : "";
  }
}
search.addEventListener("input", filter);
critical.addEventListener("change", filter);
</script>
</body>
</html>
)page";

double SecondsOf(std::chrono::microseconds time) { return std::chrono::duration<double>(time).count(); }

std::string Percent(std::chrono::microseconds part, std::chrono::microseconds whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f%%", whole.count() > 0 ? 100.0 * SecondsOf(part) / SecondsOf(whole) : 0.0);
  return text;
}

// The chart begins with its first step: what was before is told by the table of the operation.
std::string RowOf(const TimedStep& step, bool critical, std::chrono::microseconds first,
                  std::chrono::microseconds whole) {
  const GraphLook look = LookOf(step.op);
  const std::string outcome = step.failed ? "failed" : step.ended ? LabelOf(step.op).done : "interrupted";
  const std::string says = step.urn.str() + "\n" + outcome + ", from " + ShortDuration(SecondsOf(step.begin)) + " to " +
                           ShortDuration(SecondsOf(step.end)) + ", slot " + std::to_string(step.lane);
  return "<div class=\"row" + std::string(critical ? " critical" : "") + (step.failed ? " failed" : "") +
         "\" title=\"" + XmlText(says) + "\"><span class=\"name\">" + XmlText(std::string(step.urn.name())) + " · " +
         XmlText(outcome) +
         "</span><span class=\"lane\"><span class=\"bar\" style=\"left:" + Percent(step.begin - first, whole) +
         ";width:" + Percent(step.duration(), whole) + ";background:" + look.fill + ";border-color:" + look.border +
         "\"></span></span><span class=\"time\">" + ShortDuration(SecondsOf(step.duration())) + "</span></div>\n";
}

}  // namespace

std::string TimingsPage(const std::string& title, const std::vector<TimedStep>& steps) {
  const std::vector<size_t> path = CriticalPath(steps);
  const std::set<size_t> critical(path.begin(), path.end());
  std::chrono::microseconds last{0};
  for (const TimedStep& step : steps) last = std::max(last, step.end);
  const std::chrono::microseconds first = steps.empty() ? last : steps.front().begin;
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + XmlText(title) +
                     "</title>\n" + kHead + "<h1>" + XmlText(title) + "</h1>\n<p>" + std::to_string(steps.size()) +
                     " steps in " + ShortDuration(SecondsOf(last - first)) + "; blue are the " +
                     std::to_string(path.size()) +
                     " of the critical path, each of which waited for the one before.</p>\n" +
                     "<input id=\"search\" type=\"search\" placeholder=\"Search\" aria-label=\"Search\">" +
                     "<label><input id=\"critical\" type=\"checkbox\"> only the critical path</label>\n";
  for (size_t i = 0; i < steps.size(); ++i) page += RowOf(steps[i], critical.count(i) > 0, first, last - first);
  return page + kTail;
}

}  // namespace kingpost
