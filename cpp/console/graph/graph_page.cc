// SPDX-License-Identifier: Apache-2.0
#include "console/graph/graph_page.h"

namespace kingpost {

// The script has three parts: the data with its folds, the layout (columns, lanes, lines), and the window onto it.
const char kGraphPage[] = R"page(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<style>
  :root { color-scheme: light dark; --paper: #ffffff; --ink: #0f172a; --soft: #475569; --rule: #cbd5e1; --raised: #f8fafc;
          --link: #1d4ed8; --value: #64748b; --part: #cbd5e1; --other: #94a3b8; --add: #15803d; --del: #b91c1c; --mod: #b45309; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #0f172a; --ink: #e2e8f0; --soft: #94a3b8; --rule: #334155; --raised: #1e293b; --link: #93c5fd;
            --value: #94a3b8; --part: #334155; --other: #64748b; --add: #86efac; --del: #fca5a5; --mod: #fcd34d; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; font: 13px system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; height: 100vh;
         grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) 320px; }
  header { grid-column: 1 / 3; display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 8px 14px;
           border-bottom: 1px solid var(--rule); }
  h1 { font-size: 15px; margin: 0; overflow-wrap: anywhere; }
  input, button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--other); border-radius: 5px; }
  input { padding: 4px 8px; width: 220px; } button { padding: 3px 9px; cursor: pointer; }
  button[aria-pressed="true"] { outline: 2px solid var(--link); }
  main { position: relative; overflow: hidden; }
  #picture { width: 100%; height: 100%; display: block; cursor: grab; touch-action: none; user-select: none; }
  #picture:active { cursor: grabbing; }
  .tools { position: absolute; left: 10px; bottom: 10px; display: flex; gap: 4px; }
  .key { position: absolute; right: 10px; bottom: 10px; padding: 6px 10px; background: var(--raised); border: 1px solid var(--rule);
         border-radius: 6px; max-width: calc(100% - 150px); }
  .key summary { cursor: pointer; } .key svg { width: 34px; height: 14px; vertical-align: middle; margin-right: 6px; }
  .key div { white-space: nowrap; }
  aside { border-left: 1px solid var(--rule); padding: 12px 14px; overflow: auto; overflow-wrap: anywhere; }
  aside h2 { font-size: 14px; margin: 0 0 4px; } aside h3 { font-size: 12px; margin: 14px 0 4px; color: var(--soft); }
  aside a { color: var(--link); cursor: pointer; display: block; padding: 1px 0; } aside kbd { font: inherit; font-weight: 600; }
  pre { background: var(--raised); padding: 8px; overflow: auto; font-size: 12px; margin: 0; overflow-wrap: normal; }
  pre .add { color: var(--add); } pre .del { color: var(--del); } pre .mod { color: var(--mod); }
  .legend span { display: inline-block; padding: 1px 7px; border: 1px solid; border-radius: 9px; margin-right: 5px; color: #0f172a; }
  g.node { cursor: pointer; outline: none; } g.node text { fill: var(--ink); } g.node text.type { fill: var(--soft); font-size: 11px; }
  g.node rect.box { fill: var(--fill); stroke: var(--border); }
  g.chosen rect.box { stroke-width: 3; } g.node:focus-visible rect.box { stroke: var(--link); stroke-width: 3; }
  path.line { fill: none; stroke: var(--value); stroke-width: 1.3; } path.parent { stroke: var(--part); }
  path.provider, path.deletedWith { stroke: var(--other); stroke-dasharray: 3 3; }
  marker path { fill: var(--value); } marker.parent path { fill: var(--part); } marker.provider path { fill: var(--other); }
  path.related { stroke: var(--link); stroke-width: 2; } g.dim { opacity: .18; } path.dim { opacity: .08; }
  @media (prefers-color-scheme: dark) {
    g.node rect.box { fill: color-mix(in srgb, var(--border) 24%, #0f172a); }
  }
  @media (max-width: 760px) {
    body { grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); } header { grid-column: 1; }
    aside { border-left: 0; border-top: 1px solid var(--rule); max-height: 35vh; }
  }
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
<main>
  <svg id="picture" xmlns="http://www.w3.org/2000/svg" role="application" aria-label="Resources and their dependencies">
    <defs id="heads"></defs>
    <g id="world"></g>
  </svg>
  <div class="tools">
    <button id="in" title="Zoom in (+)">+</button><button id="out" title="Zoom out (-)">&minus;</button>
    <button id="fit" title="Fit the window (0)">Fit</button>
  </div>
  <details class="key" id="key"><summary>Legend</summary>
    <div><svg><path class="line" d="M1 7H24" marker-end="url(#head-value)"/></svg>a value goes from left to right: right needs left</div>
    <div><svg><path class="line parent" d="M1 7H24" marker-end="url(#head-parent)"/></svg>right is a part of left</div>
    <div><svg><path class="line provider" d="M1 7H24" marker-end="url(#head-provider)"/></svg>left is the provider of right, or right is deleted with it</div>
    <div><svg><rect x="1" y="1" width="30" height="12" rx="3" fill="none" stroke="var(--value)" stroke-dasharray="5 3"/></svg>a component, or a group of one type</div>
  </details>
</main>
<aside id="side"></aside>
<script id="graph" type="application/json">{{graph}}</script>
<script>
"use strict";
// ---- Data and folds
const graph = JSON.parse(document.getElementById("graph").textContent);
const nodes = graph.nodes, edges = graph.edges, resources = nodes.length;
const FOLD_FROM = 200, GROUP_FROM = 12, DRAW_ALL_UP_TO = 600;
const byId = id => document.getElementById(id);
const folded = new Set();
let chosen = -1, query = "", onlyChanges = false;

// A large graph gets a node for many siblings of one type, so that they can be folded.
if (nodes.length > FOLD_FROM) {
  const siblings = new Map();
  nodes.forEach((n, i) => {
    const key = n.parent + " " + n.type;
    if (!siblings.has(key)) siblings.set(key, []);
    siblings.get(key).push(i);
  });
  for (const members of siblings.values()) {
    if (members.length < GROUP_FROM) continue;
    const first = nodes[members[0]];
    nodes.push({ urn: "", type: first.type, name: `${members.length} of one type`, parent: first.parent, component: true, group: true });
    for (const i of members) nodes[i].parent = nodes.length - 1;
  }
}
nodes.forEach((n, i) => { n.i = i; n.children = []; n.inside = 0; n.changing = n.op ? 1 : 0; n.text = (n.name + " " + n.type + " " + n.urn).toLowerCase(); });
nodes.forEach(n => { if (n.parent >= 0) nodes[n.parent].children.push(n.i); });
const isFoldable = n => n.children.length > 0 && (graph.stacks || n.parent >= 0 || n.group);
{
  // Children before their parents: a node is done when all its children are.
  const open = nodes.map(n => n.children.length), done = nodes.filter(n => !n.children.length).map(n => n.i);
  for (let at = 0; at < done.length; at++) {
    const n = nodes[done[at]];
    if (n.parent < 0) continue;
    const p = nodes[n.parent];
    p.inside += n.inside + (n.group ? 0 : 1); p.changing += n.changing;
    if (--open[p.i] === 0) done.push(p.i);
  }
}
const needs = nodes.map(() => []), neededBy = nodes.map(() => []);
edges.forEach(e => { needs[e.from].push(e); neededBy[e.to].push(e); });
const foldAll = () => nodes.forEach(n => { if (isFoldable(n)) folded.add(n.i); });

// The node that stands for this one: itself, or the outermost folded one around it.
function shownAs(i) {
  let shown = i;
  for (let at = nodes[i].parent; at >= 0; at = nodes[at].parent) if (folded.has(at)) shown = at;
  return shown;
}
const matches = n => n.text.includes(query) && (!onlyChanges || n.changing > 0);

// ---- Layout: columns from left to right, each right of all that it needs. A line that passes a column has a lane of its own in
// it, so that it crosses no box; lines of one kind from one box share their lanes.
const W = 230, H = 46, GX = 80, GY = 16, LANE = 12, M = 24;
let plan = null;

function layout() {
  const stands = nodes.map(n => shownAs(n.i));
  const shown = nodes.filter(n => stands[n.i] === n.i && (!onlyChanges || n.changing > 0));
  const present = new Set(shown.map(n => n.i)), lines = new Map(), incoming = new Set();
  const join = (a, b, kind) => {
    a = stands[a]; b = stands[b];
    if (a === b || !present.has(a) || !present.has(b)) return;
    const key = a + ">" + b;
    if (!lines.has(key) || kind === "value") lines.set(key, { a, b, kind });
    incoming.add(b);
  };
  edges.forEach(e => join(e.to, e.from, e.kind));
  // The stack is the parent of nearly everything: a line from it only goes to what would stand alone otherwise.
  const isRoot = i => nodes[i].parent < 0 && nodes[i].type === "pulumi:pulumi:Stack";
  shown.forEach(n => {
    if (n.parent < 0) return;
    if (isRoot(n.parent) && incoming.has(n.i)) return;
    if (!lines.has(stands[n.parent] + ">" + n.i)) join(n.parent, n.i, "parent");
  });

  // Folding can close a circle: a line that leads back is laid out the other way round.
  const out = new Map(shown.map(n => [n.i, []]));
  for (const l of lines.values()) out.get(l.a).push(l);
  const color = new Map();
  for (const root of shown) {
    if (color.has(root.i)) continue;
    const stack = [[root.i, 0]];
    color.set(root.i, 1);
    while (stack.length) {
      const top = stack[stack.length - 1], list = out.get(top[0]);
      if (top[1] === list.length) { color.set(top[0], 2); stack.pop(); continue; }
      const l = list[top[1]++];
      if (color.get(l.b) === 1) l.back = true;
      else if (!color.has(l.b)) { color.set(l.b, 1); stack.push([l.b, 0]); }
    }
  }
  const left = new Map(shown.map(n => [n.i, []])), right = new Map(shown.map(n => [n.i, []]));
  for (const l of lines.values()) {
    [l.from, l.to] = l.back ? [l.b, l.a] : [l.a, l.b];
    right.get(l.from).push(l); left.get(l.to).push(l);
  }
  const open = new Map(shown.map(n => [n.i, left.get(n.i).length])), column = new Map(shown.map(n => [n.i, 0]));
  const ready = shown.filter(n => open.get(n.i) === 0).map(n => n.i);
  for (let at = 0; at < ready.length; at++) for (const l of right.get(ready[at])) {
    column.set(l.to, Math.max(column.get(l.to), column.get(ready[at]) + 1));
    open.set(l.to, open.get(l.to) - 1);
    if (open.get(l.to) === 0) ready.push(l.to);
  }

  // Places: a box, or the lane of a line in a column between its ends.
  const columns = [], placeOf = new Map();
  const put = (c, place) => { place.beside = [[], []]; place.column = c; (columns[c] ||= []).push(place); place.row = columns[c].length - 1; return place; };
  shown.forEach(n => placeOf.set(n.i, put(column.get(n.i), { node: n.i, height: H, gap: GY })));
  const lanes = new Map();
  for (const l of lines.values()) {
    l.lanes = [];
    let before = placeOf.get(l.from);
    for (let c = column.get(l.from) + 1; c < column.get(l.to); c++) {
      const key = l.from + " " + l.kind + " " + (l.back ? 1 : 0) + " " + c;
      if (!lanes.has(key)) {
        const lane = put(c, { height: 0, gap: LANE });
        lanes.set(key, lane);
        before.beside[1].push(lane); lane.beside[0].push(before);
      }
      before = lanes.get(key);
      l.lanes.push(before);
    }
    before.beside[1].push(placeOf.get(l.to)); placeOf.get(l.to).beside[0].push(before);
  }
  for (let sweep = 0; sweep < 8; sweep++) {
    const forth = sweep % 2 === 0;
    for (const members of forth ? columns : [...columns].reverse()) {
      if (!members) continue;
      for (const p of members) {
        const o = p.beside[forth ? 0 : 1];
        p.key = o.length ? o.reduce((s, x) => s + x.row / columns[x.column].length, 0) / o.length : p.row / members.length;
      }
      members.sort((a, b) => a.key - b.key);
      members.forEach((p, r) => { p.row = r; });
    }
  }
  // Heights: each place as near to the middle of its neighbours as those above and below it allow.
  const room = (above, below) => above.height / 2 + below.height / 2 + Math.max(above.gap, below.gap);
  for (const members of columns) { let y = 0; (members || []).forEach((p, r) => { y += r ? room(members[r - 1], p) : p.height / 2; p.y = y; }); }
  for (let sweep = 0; sweep < 6; sweep++) for (const members of sweep % 2 ? [...columns].reverse() : columns) {
    if (!members) continue;
    const wish = members.map(p => {
      const o = sweep < 2 ? p.beside[sweep % 2] : [...p.beside[0], ...p.beside[1]];
      return o.length ? o.reduce((s, x) => s + x.y, 0) / o.length : p.y; });
    const down = [...wish], up = [...wish];
    for (let r = 1; r < members.length; r++) down[r] = Math.max(down[r], down[r - 1] + room(members[r - 1], members[r]));
    for (let r = members.length - 2; r >= 0; r--) up[r] = Math.min(up[r], up[r + 1] - room(members[r], members[r + 1]));
    members.forEach((p, r) => { p.y = (down[r] + up[r]) / 2; });
  }
  let top = 0;
  for (const members of columns) for (const p of members || []) top = Math.min(top, p.y - p.height / 2);
  let height = H;
  for (const members of columns) for (const p of members || []) { p.y -= top; p.x = p.column * (W + GX); height = Math.max(height, p.y + p.height / 2); }
  plan = { shown, lines: [...lines.values()], placeOf, columns, width: Math.max(1, columns.length) * (W + GX) - GX, height };
}

function curve(l) {
  const a = plan.placeOf.get(l.from), b = plan.placeOf.get(l.to), tip = l.back ? 0 : 7, tail = l.back ? 7 : 0;
  let x = a.x + W + tail, y = a.y, d = `M${x} ${y}`;
  const to = (x2, y2) => { const bend = (x2 - x) / 2; d += ` C${x + bend} ${y} ${x2 - bend} ${y2} ${x2} ${y2}`; x = x2; y = y2; };
  for (const lane of l.lanes) { to(lane.x, lane.y); x = lane.x + W; d += ` H${x}`; }
  to(b.x - tip, b.y);
  return d;
}

// ---- The window
const picture = byId("picture"), world = byId("world");
const view = { x: 0, y: 0, scale: 1 };
let drawn = false;

function element(name, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  return e;
}
for (const kind of ["value", "parent", "provider"]) {
  const head = element("marker", { id: "head-" + kind, class: kind, viewBox: "0 0 8 8", refX: 1, refY: 4, markerWidth: 8, markerHeight: 8,
    markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" });
  head.append(element("path", { d: "M0 0.5L8 4L0 7.5z" }));
  byId("heads").append(head);
}
function short(text, length) { const c = [...text]; return c.length > length ? c.slice(0, length - 1).join("") + "…" : text; }

function place() {
  world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  if (plan.shown.length > DRAW_ALL_UP_TO) paint();
}
function fit() {
  const box = picture.getBoundingClientRect();
  view.scale = Math.max(0.02, Math.min(1, (box.width - 2 * M) / plan.width, (box.height - 2 * M) / plan.height));
  view.x = Math.max(M, (box.width - plan.width * view.scale) / 2);
  view.y = Math.max(M, (box.height - plan.height * view.scale) / 2);
  place();
}
function zoom(by, x, y) {
  const box = picture.getBoundingClientRect();
  if (x === undefined) { x = box.width / 2; y = box.height / 2; }
  const scale = Math.max(0.02, Math.min(4, view.scale * by));
  view.x = x - (x - view.x) * scale / view.scale; view.y = y - (y - view.y) * scale / view.scale; view.scale = scale;
  place();
}
function bringIntoView(i) {
  const p = plan.placeOf.get(i), box = picture.getBoundingClientRect();
  if (!p) return;
  const x = view.x + p.x * view.scale, y = view.y + p.y * view.scale;
  if (x < M || x + W * view.scale > box.width - M) view.x += box.width / 2 - x - W * view.scale / 2;
  if (y < M || y > box.height - M) view.y += box.height / 2 - y;
  place();
}

// Draws what is in the window, and of a small graph everything.
function paint() {
  const all = plan.shown.length <= DRAW_ALL_UP_TO, box = picture.getBoundingClientRect();
  const x1 = -view.x / view.scale - W, x2 = (box.width - view.x) / view.scale, y1 = -view.y / view.scale - H, y2 = (box.height - view.y) / view.scale + H;
  const seen = i => { const p = plan.placeOf.get(i); return all || (p.x >= x1 && p.x <= x2 && p.y >= y1 && p.y <= y2); };
  const focus = document.activeElement && document.activeElement.closest ? document.activeElement.closest("g.node") : null;
  const focused = focus ? Number(focus.dataset.i) : -1;
  const related = new Set(chosen < 0 ? [] : [chosen, ...needs[chosen].map(e => shownAs(e.to)), ...neededBy[chosen].map(e => shownAs(e.from))]);
  const dim = i => (query && !matches(nodes[i])) || (chosen >= 0 && !query && !related.has(i));
  const parts = [];
  for (const l of plan.lines) {
    if (!all && !(seen(l.a) || seen(l.b))) continue;
    const isRelated = chosen >= 0 && (l.a === chosen || l.b === chosen);
    const head = `url(#head-${l.kind === "deletedWith" ? "provider" : l.kind})`;
    parts.push(element("path", { d: curve(l), class: `line ${l.kind}` + (dim(l.a) || dim(l.b) ? " dim" : "") + (isRelated ? " related" : ""),
      [l.back ? "marker-start" : "marker-end"]: head }));
  }
  const small = view.scale < 0.25 && !all;  // no text can be read
  for (const n of plan.shown) if (seen(n.i)) parts.push(boxOf(n, dim(n.i), small));
  world.replaceChildren(...parts);
  if (focused >= 0) focusOn(focused);
}
function boxOf(n, isDim, small) {
  const p = plan.placeOf.get(n.i), look = graph.looks[n.op || ""], isFolded = folded.has(n.i), y = p.y - H / 2;
  const g = element("g", { class: "node" + (isDim ? " dim" : "") + (n.i === chosen ? " chosen" : ""), "data-urn": n.urn, "data-i": n.i,
    tabindex: 0, role: "button", "aria-label": `${n.name} ${n.type} ${n.op || ""}`, style: `--fill:${look.fill};--border:${look.border}` });
  g.append(element("rect", { class: "box", x: p.x, y, width: W, height: H, rx: 6, "stroke-dasharray": n.component ? "5 3" : "none" }));
  if (small) return g;
  g.append(element("title", {}, (n.urn || n.type) + (n.changes ? "\n" + n.changes : "")));
  const sign = isFoldable(n) || (n.children.length && n.parent < 0) ? (isFolded ? "▸ " : "▾ ") : "";
  const word = n.op ? " · " + n.op : "", inside = isFolded ? `${n.inside} inside` + (n.changing > (n.op ? 1 : 0) ? ", changes" : "") + " · " : "";
  g.append(element("text", { x: p.x + 10, y: y + 19, "font-weight": 600 }, sign + short(n.name, Math.max(8, 28 - sign.length - word.length)) + word));
  g.append(element("text", { class: "type", x: p.x + 10, y: y + 36 }, inside + short(n.type, Math.max(8, 36 - inside.length))));
  return g;
}
function draw(again) {
  layout();
  byId("key").open = byId("key").open && plan.shown.length > 0;
  if (!drawn || again === "fit") fit(); else place();
  drawn = true;
  paint();
  const found = query ? `, ${nodes.filter(n => !n.group && matches(n)).length} found` : "";
  const hidden = resources - plan.shown.filter(n => !n.group).length;
  byId("count").textContent = `${resources} resources${found}` + (hidden && !onlyChanges ? `, ${hidden} folded` : "");
}
function focusOn(i) {
  const g = world.querySelector(`g.node[data-i="${i}"]`);
  if (g) g.focus({ preventScroll: true });
}
function toggle(i) {
  if (folded.has(i)) folded.delete(i); else folded.add(i);
  const before = { ...plan.placeOf.get(i) };
  draw();
  const after = plan.placeOf.get(i);  // the box stays where it is in the window
  view.x += (before.x - after.x) * view.scale; view.y += (before.y - after.y) * view.scale;
  place(); paint(); focusOn(i);
}

// ---- What is said of a resource
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
  for (const e of list.slice(0, 200)) {
    const why = e.kind === "value" ? (e.properties ? " by " + e.properties.join(", ") : "") : e.kind === "provider" ? " (provider)" : " (deleted with)";
    html("a", nodes[e[other]].name + why, side).addEventListener("click", () => { reveal(e[other]); });
  }
  if (list.length > 200) html("div", `and ${list.length - 200} more`, side);
}
function reveal(i) {
  for (let at = nodes[i].parent; at >= 0; at = nodes[at].parent) folded.delete(at);
  choose(i, true); draw(); bringIntoView(i); paint();
}
function help(side) {
  html("p", "Click a resource to see what would happen to it and why, what it needs and what needs it. The sign before a component folds it.", side);
  html("p", "Drag to move, turn the wheel to zoom.", side);
  const keys = html("p", "", side);
  for (const [key, does] of [["arrows", "go to the next resource"], ["Enter", "choose it"], ["Space", "fold or unfold it"],
      ["+ -", "zoom"], ["0", "fit the window"], ["/", "search"], ["Esc", "let go"]]) {
    html("kbd", key, keys); keys.append(` ${does}. `);
  }
}
function choose(i, stays) {
  chosen = chosen === i && !stays ? -1 : i;
  const side = byId("side");
  side.replaceChildren();
  if (chosen < 0) { help(side); return; }
  const n = nodes[i];
  html("h2", n.name, side);
  html("div", n.type, side);
  html("div", n.urn, side).style.color = "var(--soft)";
  if (n.protected) html("div", "protected", side);
  if (n.group) html("div", `${n.inside} resources; the sign unfolds them`, side);
  else if (graph.planned) html("h3", n.op ? "Would be: " + n.op : "Stays as it is", side);
  if (n.changes) html("div", n.changes, side);
  if (n.details) {
    const pre = html("pre", undefined, side);
    for (const line of n.details.split("\n")) {
      const mark = line.trimStart()[0];
      html("span", line + "\n", pre, mark === "+" ? "add" : mark === "-" ? "del" : mark === "~" ? "mod" : "");
    }
  }
  if (n.parent >= 0) {
    html("h3", "Part of", side);
    html("a", nodes[n.parent].name, side).addEventListener("click", () => reveal(n.parent));
  }
  links("Needs", needs[i], "to", side);
  links("Needed by", neededBy[i], "from", side);
}

// ---- Mouse and keys
let drag = null;
picture.addEventListener("pointerdown", e => { drag = { x: e.clientX, y: e.clientY, moved: false }; });
addEventListener("pointermove", e => {
  if (!drag || !(e.buttons & 1)) { drag = e.buttons & 1 ? drag : null; return; }
  const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
  if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
  drag = { x: e.clientX, y: e.clientY, moved: true };
  view.x += dx; view.y += dy;
  place();
});
picture.addEventListener("click", e => {
  const moved = drag && drag.moved;
  drag = null;
  const g = e.target.closest("g.node");
  if (moved || !g) return;
  const i = Number(g.dataset.i);
  // The sign is at the left end of the box, and can be hit in a small picture as well.
  const across = e.clientX - g.querySelector("rect.box").getBoundingClientRect().left;
  if (nodes[i].children.length && across < Math.max(20, 26 * view.scale)) { toggle(i); } else { choose(i); paint(); focusOn(i); }
});
picture.addEventListener("wheel", e => {
  e.preventDefault();
  const box = picture.getBoundingClientRect();
  zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), e.clientX - box.left, e.clientY - box.top);
}, { passive: false });
function nextTo(i, key) {
  const p = plan.placeOf.get(i);
  const sideways = key === "ArrowLeft" || key === "ArrowRight", sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  let best = -1, least = Infinity;
  for (const n of plan.shown) {
    const q = plan.placeOf.get(n.i), along = sideways ? (q.column - p.column) * sign : (q.y - p.y) * sign;
    if (n.i === i || along <= 0 || (!sideways && q.column !== p.column)) continue;
    const far = sideways ? along * 10000 + Math.abs(q.y - p.y) : along;
    if (far < least) { least = far; best = n.i; }
  }
  return best;
}
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.target.tagName === "INPUT") { if (e.key === "Escape") { e.target.blur(); } return; }
  const g = e.target.closest && e.target.closest("g.node"), i = g ? Number(g.dataset.i) : -1;
  if (e.key.startsWith("Arrow")) {
    const next = i >= 0 ? nextTo(i, e.key) : plan.shown.length ? plan.shown[0].i : -1;
    if (next >= 0) { bringIntoView(next); if (plan.shown.length > DRAW_ALL_UP_TO) paint(); focusOn(next); }
  } else if (e.key === "Enter" && i >= 0) { choose(i); paint(); focusOn(i);
  } else if (e.key === " " && i >= 0) { if (nodes[i].children.length) toggle(i);
  } else if (e.key === "+" || e.key === "=") { zoom(1.25);
  } else if (e.key === "-") { zoom(0.8);
  } else if (e.key === "0") { fit();
  } else if (e.key === "/") { byId("search").focus();
  } else if (e.key === "Escape" && chosen >= 0) { choose(chosen); paint();
  } else { return; }
  e.preventDefault();
});
byId("in").addEventListener("click", () => zoom(1.25));
byId("out").addEventListener("click", () => zoom(0.8));
byId("fit").addEventListener("click", fit);
let resizing = 0;
addEventListener("resize", () => { cancelAnimationFrame(resizing); resizing = requestAnimationFrame(fit); });

for (const word in graph.looks) {
  const count = nodes.filter(n => (n.op || "") === word).length;
  if (!word || !count) continue;
  const tag = html("span", `${word} ${count}`, byId("legend"));
  tag.style.background = graph.looks[word].fill; tag.style.borderColor = graph.looks[word].border;
}
// What is found is shown: its folds open, up to as many as can be drawn at once.
byId("search").addEventListener("input", e => {
  query = e.target.value.toLowerCase();
  if (query) {
    const found = nodes.filter(n => !n.group && n.text.includes(query)).slice(0, FOLD_FROM);
    for (const n of found) for (let at = n.parent; at >= 0; at = nodes[at].parent) if (nodes[at].children.length <= 2 * FOLD_FROM) folded.delete(at);
  }
  draw("fit");
});
byId("changes").hidden = !graph.planned;
byId("changes").addEventListener("click", e => { onlyChanges = !onlyChanges; e.target.setAttribute("aria-pressed", onlyChanges); draw("fit"); });
byId("fold").addEventListener("click", () => { foldAll(); draw("fit"); });
byId("unfold").addEventListener("click", () => { folded.clear(); draw("fit"); });
help(byId("side"));
if (graph.stacks) nodes.forEach(n => { if (n.children.length && n.parent < 0) folded.add(n.i); });
if (resources >= FOLD_FROM) foldAll();
byId("key").open = innerWidth > 760;
draw("fit");
</script>
</body>
</html>
)page";

}  // namespace kingpost
