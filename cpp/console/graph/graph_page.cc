// SPDX-License-Identifier: Apache-2.0
#include "console/graph/graph_page.h"

namespace kingpost {

const char kGraphPage[] = R"page(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<style>
  * { box-sizing: border-box; }
  body { margin: 0; font: 13px system-ui, sans-serif; color: #0f172a; display: grid; height: 100vh;
         grid-template: auto 1fr / 1fr 340px; }
  header { grid-column: 1 / 3; display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 8px 14px;
           border-bottom: 1px solid #cbd5e1; }
  h1 { font-size: 15px; margin: 0; }
  input { font: inherit; padding: 4px 8px; width: 240px; border: 1px solid #94a3b8; border-radius: 5px; }
  button { font: inherit; padding: 3px 9px; border: 1px solid #94a3b8; border-radius: 5px; background: #f8fafc; cursor: pointer; }
  button[aria-pressed="true"] { outline: 2px solid #2563eb; }
  main { overflow: auto; background: #ffffff; }
  aside { border-left: 1px solid #cbd5e1; padding: 12px 14px; overflow: auto; overflow-wrap: anywhere; }
  aside h2 { font-size: 14px; margin: 0 0 4px; }
  aside h3 { font-size: 12px; margin: 14px 0 4px; color: #475569; }
  aside a { color: #1d4ed8; cursor: pointer; display: block; padding: 1px 0; }
  pre { background: #f1f5f9; padding: 8px; overflow: auto; font-size: 12px; margin: 0; overflow-wrap: normal; }
  pre .add { color: #15803d; } pre .del { color: #b91c1c; } pre .mod { color: #b45309; }
  .legend span { display: inline-block; padding: 1px 7px; border: 1px solid; border-radius: 9px; margin-right: 5px; }
  g.node { cursor: pointer; } g.node text { pointer-events: none; }
  g.dim { opacity: .18; } path.dim { opacity: .08; } g.chosen rect { stroke-width: 3; }
</style>
</head>
<body>
<header>
  <h1>{{title}}</h1>
  <input id="search" type="search" placeholder="Search names, types, URNs" aria-label="Search">
  <button id="changes" aria-pressed="false">Only changes</button>
  <button id="fold">Fold all</button>
  <button id="unfold">Unfold all</button>
  <span class="legend" id="legend"></span>
  <span id="count"></span>
</header>
<main><svg id="picture" xmlns="http://www.w3.org/2000/svg"></svg></main>
<aside id="side"><p>Click a resource to see what would happen to it and why, what it needs and what needs it. The sign
before a component folds it.</p></aside>
<script id="graph" type="application/json">{{graph}}</script>
<script>
"use strict";
const graph = JSON.parse(document.getElementById("graph").textContent);
const nodes = graph.nodes, edges = graph.edges;
const W = 220, H = 46, GX = 90, GY = 16, M = 24;
const folded = new Set();
let chosen = -1, query = "", onlyChanges = false;
nodes.forEach((n, i) => { n.i = i; n.children = []; });
nodes.forEach(n => { if (n.parent >= 0) nodes[n.parent].children.push(n.i); });
const needs = nodes.map(() => []), neededBy = nodes.map(() => []);
edges.forEach(e => { needs[e.from].push(e); neededBy[e.to].push(e); });

// The node that stands for this one: itself, or the outermost folded component around it.
function shownAs(i) {
  let shown = i;
  for (let at = nodes[i].parent; at >= 0; at = nodes[at].parent) if (folded.has(at)) shown = at;
  return shown;
}
function matches(n) {
  const text = (n.name + " " + n.type + " " + n.urn).toLowerCase();
  return text.includes(query) && (!onlyChanges || n.op || below(n.i).some(c => nodes[c].op));
}
function below(i) { return nodes[i].children.flatMap(c => [c, ...below(c)]); }

function layout() {
  const shown = nodes.filter(n => shownAs(n.i) === n.i && (!onlyChanges || matches(n)));
  const present = new Set(shown.map(n => n.i));
  const left = new Map(shown.map(n => [n.i, new Set()])), right = new Map(shown.map(n => [n.i, new Set()]));
  const lines = new Map();
  const join = (a, b, kind) => {
    a = shownAs(a); b = shownAs(b);
    if (a === b || !present.has(a) || !present.has(b)) return;
    left.get(b).add(a); right.get(a).add(b);
    const key = a + ">" + b;
    if (!lines.has(key) || kind === "value") lines.set(key, { a, b, kind });
  };
  shown.forEach(n => { if (n.parent >= 0) join(n.parent, n.i, "parent"); });
  edges.forEach(e => join(e.to, e.from, e.kind));
  const open = new Map(shown.map(n => [n.i, left.get(n.i).size])), column = new Map(shown.map(n => [n.i, 0]));
  const ready = shown.filter(n => open.get(n.i) === 0).map(n => n.i);
  for (let at = 0; at < ready.length; at++) for (const next of right.get(ready[at])) {
    column.set(next, Math.max(column.get(next), column.get(ready[at]) + 1));
    open.set(next, open.get(next) - 1);
    if (open.get(next) === 0) ready.push(next);
  }
  const columns = [], row = new Map();
  shown.forEach(n => { const c = column.get(n.i); (columns[c] ||= []).push(n.i); row.set(n.i, columns[c].length - 1); });
  for (let sweep = 0; sweep < 6; sweep++) {
    const forth = sweep % 2 === 0, beside = forth ? left : right;
    for (const members of forth ? columns : [...columns].reverse()) {
      if (!members) continue;
      const key = i => { const o = [...beside.get(i)]; return o.length ? o.reduce((s, x) => s + row.get(x), 0) / o.length : row.get(i); };
      const keys = new Map(members.map(i => [i, key(i)]));
      members.sort((a, b) => keys.get(a) - keys.get(b));
      members.forEach((i, r) => row.set(i, r));
    }
  }
  return { shown, lines: [...lines.values()], column, row, columns };
}

function element(name, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  return e;
}
function short(text, length) { const c = [...text]; return c.length > length ? c.slice(0, length - 1).join("") + "…" : text; }

function draw() {
  const picture = document.getElementById("picture"), plan = layout();
  picture.replaceChildren();
  const x = i => M + plan.column.get(i) * (W + GX), y = i => M + plan.row.get(i) * (H + GY);
  const related = new Set(chosen < 0 ? [] : [chosen, ...needs[chosen].map(e => shownAs(e.to)), ...neededBy[chosen].map(e => shownAs(e.from))]);
  const dim = i => (query && !matches(nodes[i])) || (chosen >= 0 && !query && !related.has(i));
  for (const l of plan.lines) {
    const x1 = x(l.a) + W, y1 = y(l.a) + H / 2, x2 = x(l.b), y2 = y(l.b) + H / 2;
    picture.append(element("path", {
      d: `M${x1} ${y1} C${x1 + GX / 2} ${y1} ${x2 - GX / 2} ${y2} ${x2} ${y2}`, fill: "none",
      stroke: l.kind === "value" ? "#64748b" : l.kind === "parent" ? "#e2e8f0" : "#94a3b8",
      "stroke-dasharray": l.kind === "value" || l.kind === "parent" ? "none" : "3 3",
      class: dim(l.a) || dim(l.b) ? "dim" : "" }));
  }
  for (const n of plan.shown) {
    const look = graph.looks[n.op || ""], inside = folded.has(n.i) ? below(n.i) : [];
    const g = element("g", { class: "node" + (dim(n.i) ? " dim" : "") + (n.i === chosen ? " chosen" : ""), "data-urn": n.urn, tabindex: 0 });
    g.append(element("title", {}, n.urn + (n.changes ? "\n" + n.changes : "")));
    g.append(element("rect", { x: x(n.i), y: y(n.i), width: W, height: H, rx: 6, fill: look.fill, stroke: look.border,
      "stroke-dasharray": n.component ? "5 3" : "none" }));
    const sign = n.children.length ? (folded.has(n.i) ? "▸ " : "▾ ") : "";
    const word = inside.length ? ` · ${inside.length} inside` + (inside.some(c => nodes[c].op) ? ", changes" : "") : n.op ? " · " + n.op : "";
    g.append(element("text", { x: x(n.i) + 10, y: y(n.i) + 19, "font-weight": 600 }, short(sign + n.name + word, 32)));
    g.append(element("text", { x: x(n.i) + 10, y: y(n.i) + 36, fill: "#475569", "font-size": 11 }, short(n.type, 35)));
    g.addEventListener("click", event => {
      const onSign = n.children.length && event.offsetX - x(n.i) < 26;
      if (onSign) { folded.has(n.i) ? folded.delete(n.i) : folded.add(n.i); } else { choose(n.i); }
      draw();
    });
    g.addEventListener("keydown", event => { if (event.key === "Enter") { choose(n.i); draw(); } });
    picture.append(g);
  }
  const rows = Math.max(1, ...plan.columns.filter(Boolean).map(c => c.length));
  picture.setAttribute("width", 2 * M + Math.max(1, plan.columns.length) * (W + GX) - GX);
  picture.setAttribute("height", 2 * M + rows * (H + GY));
  const found = query ? `, ${nodes.filter(matches).length} found` : "";
  document.getElementById("count").textContent = `${nodes.length} resources${found}`;
}

function html(tag, text, parent, name) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  parent.append(e);
  return e;
}
function links(title, list, other, side) {
  if (!list.length) return;
  html("h3", title, side);
  for (const e of list) {
    const why = e.kind === "value" ? (e.properties ? " by " + e.properties.join(", ") : "") : e.kind === "provider" ? " (provider)" : " (deleted with)";
    html("a", nodes[e[other]].name + why, side).addEventListener("click", () => { reveal(e[other]); });
  }
}
function reveal(i) {
  for (let at = nodes[i].parent; at >= 0; at = nodes[at].parent) folded.delete(at);
  choose(i); draw();
}
function choose(i) {
  chosen = chosen === i ? -1 : i;
  const side = document.getElementById("side");
  side.replaceChildren();
  if (chosen < 0) return;
  const n = nodes[i];
  html("h2", n.name, side);
  html("div", n.type, side);
  html("div", n.urn, side).style.color = "#64748b";
  if (n.protected) html("div", "protected", side);
  if (graph.planned) html("h3", n.op ? "Would be: " + n.op : "Stays as it is", side);
  if (n.changes) html("div", n.changes, side);
  if (n.details) {
    const pre = html("pre", undefined, side);
    for (const line of n.details.split("\n")) {
      const mark = line.trimStart()[0];
      html("span", line + "\n", pre, mark === "+" ? "add" : mark === "-" ? "del" : mark === "~" ? "mod" : "");
    }
  }
  if (n.parent >= 0) { html("h3", "Part of", side); html("a", nodes[n.parent].name, side).addEventListener("click", () => reveal(n.parent)); }
  links("Needs", needs[i], "to", side);
  links("Needed by", neededBy[i], "from", side);
}

const legend = document.getElementById("legend");
for (const word in graph.looks) {
  const count = nodes.filter(n => (n.op || "") === word).length;
  if (!word || !count) continue;
  const tag = html("span", `${word} ${count}`, legend);
  tag.style.background = graph.looks[word].fill; tag.style.borderColor = graph.looks[word].border;
}
document.getElementById("search").addEventListener("input", e => { query = e.target.value.toLowerCase(); if (query) folded.clear(); draw(); });
document.getElementById("changes").hidden = !graph.planned;
document.getElementById("changes").addEventListener("click", e => {
  onlyChanges = !onlyChanges; e.target.setAttribute("aria-pressed", onlyChanges); draw(); });
document.getElementById("fold").addEventListener("click", () => { nodes.forEach(n => { if (n.children.length && (graph.stacks || n.parent >= 0)) folded.add(n.i); }); draw(); });
document.getElementById("unfold").addEventListener("click", () => { folded.clear(); draw(); });
if (graph.stacks) nodes.forEach(n => { if (n.children.length && n.parent < 0) folded.add(n.i); });
if (nodes.length > 150) nodes.forEach(n => { if (n.component && n.children.length && n.parent >= 0) folded.add(n.i); });
draw();
</script>
</body>
</html>
)page";

}  // namespace kingpost
