// SPDX-License-Identifier: Apache-2.0
// The chart: a row for each step, its bar where it ran, in the colours of the pictures of stacks.
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/timings/timings_file.h"
#include "console/display/labels.h"
#include "console/graph/graph.h"
#include "console/graph/graph_text.h"

namespace kingpost {

namespace {

// The script draws only the rows that the window shows, so that a chart of ten thousand steps opens at once.
constexpr char kHead[] = R"page(<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
  :root { color-scheme: light dark; --paper: #ffffff; --ink: #0f172a; --soft: #475569; --rule: #cbd5e1; --raised: #f1f5f9;
          --blue: #1d4ed8; --red: #b91c1c; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #0f172a; --ink: #e2e8f0; --soft: #94a3b8; --rule: #334155; --raised: #1e293b; --blue: #60a5fa; --red: #fca5a5; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 14px 20px 0; height: 100vh; display: flex; flex-direction: column; font: 13px system-ui, sans-serif;
         color: var(--ink); background: var(--paper); }
  h1 { font-size: 16px; margin: 0 0 4px; overflow-wrap: anywhere; } p { margin: 4px 0 10px; color: var(--soft); }
  .tools { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; margin-bottom: 8px; }
  input[type=search], button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--rule); border-radius: 5px; }
  input[type=search] { padding: 4px 8px; width: 220px; } button { padding: 3px 9px; cursor: pointer; }
  .axis, .row { display: grid; grid-template-columns: minmax(110px, 24%) minmax(0, 1fr) 72px; gap: 10px; align-items: center; height: 22px; }
  .axis .lane { border: 0; overflow: hidden; } .axis i { position: absolute; font-style: normal; font-size: 11px; color: var(--soft);
         border-left: 1px solid var(--rule); padding-left: 3px; white-space: nowrap; }
  main { flex: 1; min-height: 0; overflow: auto; position: relative; } #rows { position: relative; }
  .row { position: absolute; left: 0; right: 0; outline-offset: -2px; } .row:hover { background: var(--raised); }
  .row.critical .name { font-weight: 600; } .row.group { cursor: pointer; } .row.group .name { color: var(--soft); }
  .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .lane { position: relative; height: 14px; overflow: hidden; border-left: 1px solid var(--rule); border-right: 1px solid var(--rule); }
  .bar { position: absolute; top: 0; bottom: 0; min-width: 2px; border: 1px solid var(--border); border-radius: 3px; background: var(--fill); }
  .row.critical .bar { box-shadow: inset 0 0 0 1px var(--blue); border-color: var(--blue); }
  .row.failed .time { color: var(--red); } .time { text-align: right; font-variant-numeric: tabular-nums; }
  .key b { display: inline-block; width: 22px; height: 12px; border: 1px solid; border-radius: 3px; vertical-align: -1px; margin: 0 4px 0 8px; }
  @media (prefers-color-scheme: dark) { .bar { background: color-mix(in srgb, var(--border) 40%, #0f172a); } }
</style>
</head>
<body>
)page";

constexpr char kTail[] = R"page(<div class="tools">
  <input id="search" type="search" placeholder="Search" aria-label="Search">
  <label><input id="critical" type="checkbox"> only the critical path</label>
  <button id="fold">Fold all</button><button id="unfold">Unfold all</button>
  <button id="in" title="Zoom in (+)">+</button><button id="out" title="Zoom out (-)">&minus;</button>
  <button id="fit" title="Fit the window (0)">Fit</button>
  <span class="key" id="key"></span>
</div>
<div class="axis"><span id="count"></span><span class="lane" id="axis"></span><span></span></div>
<main id="main" tabindex="0"><div id="rows"></div></main>
<script>
"use strict";
const { steps, whole, looks } = JSON.parse(document.getElementById("timings").textContent);
const byId = id => document.getElementById(id), rows = byId("rows"), main = byId("main");
const FOLD_FROM = 200, HEIGHT = 22;
let begin = 0, end = whole || 1, shown = [];
// Steps of one type fold together. Those of the critical path stand alone.
const groups = new Map();
for (const s of steps) {
  s.text = s.says.toLowerCase();
  if (!groups.has(s.type)) groups.set(s.type, { type: s.type, steps: [], open: steps.length < FOLD_FROM });
  groups.get(s.type).steps.push(s);
}
const span = s => `left:${100 * (s.begin - begin) / (end - begin)}%;width:${100 * (s.end - s.begin) / (end - begin)}%`;
const seconds = s => s >= 100 ? s.toFixed(0) + "s" : s >= 1 ? s.toFixed(1) + "s" : (1000 * s).toFixed(0) + "ms";

function choose() {
  const text = byId("search").value.toLowerCase(), critical = byId("critical").checked;
  const wanted = s => s.text.includes(text) && (!critical || s.critical);
  const grouped = !text && !critical && steps.length >= FOLD_FROM;
  shown = [];
  if (!grouped) { shown = steps.filter(wanted); } else {
    shown.push(...steps.filter(s => s.critical));
    for (const g of groups.values()) {
      const rest = g.steps.filter(s => !s.critical);
      if (!rest.length) continue;
      shown.push({ group: g, count: rest.length, begin: Math.min(...rest.map(s => s.begin)), end: rest.reduce((e, s) => Math.max(e, s.end), 0),
        busy: rest.reduce((sum, s) => sum + s.end - s.begin, 0) });
      if (g.open) shown.push(...rest);
    }
  }
  rows.style.height = shown.length * HEIGHT + "px";
  byId("count").textContent = shown.length === steps.length ? `${steps.length} steps` : `${shown.length} rows of ${steps.length} steps`;
  paint();
}
function rowOf(s, at) {
  const row = document.createElement("div"), bar = document.createElement("span");
  const part = (name, text) => { const e = document.createElement("span"); e.className = name; e.textContent = text; row.append(e); return e; };
  row.style.top = at * HEIGHT + "px";
  bar.className = "bar"; bar.style.cssText = span(s);
  if (s.group) {
    row.className = "row group"; row.tabIndex = 0;
    row.title = `${s.count} steps of ${s.group.type}`;
    part("name", `${s.group.open ? "▾" : "▸"} ${s.count} × ${s.group.type}`);
    bar.style.setProperty("--fill", "transparent"); bar.style.setProperty("--border", "var(--soft)");
    const turn = () => { s.group.open = !s.group.open; choose(); };
    row.addEventListener("click", turn);
    row.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); turn(); } });
  } else {
    row.className = "row" + (s.critical ? " critical" : "") + (s.failed ? " failed" : "");
    row.title = s.says;
    part("name", `${s.name} · ${s.outcome}`);
    bar.style.setProperty("--fill", looks[s.op].fill); bar.style.setProperty("--border", looks[s.op].border);
  }
  part("lane", "").append(bar);
  part("time", seconds(s.group ? s.busy : s.end - s.begin));
  return row;
}
function paint() {
  const first = Math.max(0, Math.floor(main.scrollTop / HEIGHT) - 5), last = Math.min(shown.length, first + Math.ceil(main.clientHeight / HEIGHT) + 10);
  rows.replaceChildren(...shown.slice(first, last).map((s, i) => rowOf(s, first + i)));
  const axis = byId("axis"), pace = 10 ** Math.floor(Math.log10(end - begin)), tick = (end - begin) / pace < 2 ? pace / 5 : (end - begin) / pace < 5 ? pace / 2 : pace;
  axis.replaceChildren();
  for (let t = Math.ceil(begin / tick) * tick; t <= end; t += tick) {
    const mark = document.createElement("i");
    mark.style.left = 100 * (t - begin) / (end - begin) + "%"; mark.textContent = seconds(t);
    axis.append(mark);
  }
}
function zoom(by, at) {
  const middle = begin + (at === undefined ? 0.5 : at) * (end - begin), width = Math.min(whole || 1, Math.max((whole || 1) / 5000, (end - begin) / by));
  begin = Math.max(0, Math.min((whole || 1) - width, middle - (at === undefined ? 0.5 : at) * width)); end = begin + width;
  paint();
}
function pan(by) { const width = end - begin; begin = Math.max(0, Math.min((whole || 1) - width, begin + by * width)); end = begin + width; paint(); }
function fit() { begin = 0; end = whole || 1; paint(); }
const foldAll = open => { for (const g of groups.values()) g.open = open; choose(); };
byId("search").addEventListener("input", choose);
byId("critical").addEventListener("change", choose);
byId("fold").addEventListener("click", () => foldAll(false));
byId("unfold").addEventListener("click", () => foldAll(true));
byId("fold").hidden = byId("unfold").hidden = steps.length < FOLD_FROM;
byId("in").addEventListener("click", () => zoom(1.5));
byId("out").addEventListener("click", () => zoom(1 / 1.5));
byId("fit").addEventListener("click", fit);
main.addEventListener("scroll", paint);
main.addEventListener("wheel", e => {
  if (!e.ctrlKey) return;  // without Ctrl the wheel scrolls
  e.preventDefault();
  const lane = byId("axis").getBoundingClientRect();
  zoom(Math.exp(-e.deltaY * 0.002), Math.max(0, Math.min(1, (e.clientX - lane.left) / lane.width)));
}, { passive: false });
addEventListener("resize", paint);
addEventListener("keydown", e => {
  if (e.target.tagName === "INPUT" || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "+" || e.key === "=") zoom(1.5); else if (e.key === "-") zoom(1 / 1.5); else if (e.key === "0") fit();
  else if (e.key === "ArrowLeft") pan(-0.2); else if (e.key === "ArrowRight") pan(0.2);
  else if (e.key === "/") { byId("search").focus(); e.preventDefault(); }
});
for (const word in looks) {
  if (!word || !steps.some(s => s.op === word)) continue;
  const box = document.createElement("b");
  box.style.background = looks[word].fill; box.style.borderColor = looks[word].border;
  byId("key").append(box, word);
}
choose();
</script>
</body>
</html>
)page";

double SecondsOf(std::chrono::microseconds time) { return std::chrono::duration<double>(time).count(); }

// The chart begins with its first step: the table of the operation tells the time before it.
nlohmann::ordered_json JsonOf(const TimedStep& step, bool critical, std::chrono::microseconds first) {
  const std::string outcome = step.failed ? "failed" : step.ended ? LabelOf(step.op).done : "interrupted";
  const std::string says = step.urn.str() + "\n" + outcome + ", from " + ShortDuration(SecondsOf(step.begin)) + " to " +
                           ShortDuration(SecondsOf(step.end)) + ", slot " + std::to_string(step.lane);
  nlohmann::ordered_json json = {{"name", std::string(step.urn.name())},
                                 {"type", std::string(step.urn.type())},
                                 {"op", LookOf(step.op).word},
                                 {"outcome", outcome},
                                 {"begin", SecondsOf(step.begin - first)},
                                 {"end", SecondsOf(step.end - first)},
                                 {"says", says}};
  if (critical) json["critical"] = true;
  if (step.failed) json["failed"] = true;
  return json;
}

nlohmann::ordered_json Looks(const std::vector<TimedStep>& steps) {
  nlohmann::ordered_json looks = nlohmann::json::object();
  for (const TimedStep& step : steps) {
    const GraphLook look = LookOf(step.op);
    looks[look.word] = {{"fill", look.fill}, {"border", look.border}};
  }
  return looks;
}

}  // namespace

std::string TimingsPage(const std::string& title, const std::vector<TimedStep>& steps) {
  const std::vector<size_t> path = CriticalPath(steps);
  const std::set<size_t> critical(path.begin(), path.end());
  std::chrono::microseconds last{0};
  for (const TimedStep& step : steps) last = std::max(last, step.end);
  const std::chrono::microseconds first = steps.empty() ? last : steps.front().begin;
  nlohmann::ordered_json chart = {
      {"whole", SecondsOf(last - first)}, {"looks", Looks(steps)}, {"steps", nlohmann::json::array()}};
  for (size_t i = 0; i < steps.size(); ++i) chart["steps"].push_back(JsonOf(steps[i], critical.count(i) > 0, first));
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + XmlText(title) +
         "</title>\n" + kHead + "<h1>" + XmlText(title) + "</h1>\n<p>" + std::to_string(steps.size()) + " steps in " +
         ShortDuration(SecondsOf(last - first)) + "; blue are the " + std::to_string(path.size()) +
         " of the critical path, each of which waited for the one before.</p>\n" +
         "<script id=\"timings\" type=\"application/json\">" + JsonInHtml(chart) + "</script>\n" + kTail;
}

}  // namespace kingpost
