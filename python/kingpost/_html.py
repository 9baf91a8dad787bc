# SPDX-License-Identifier: Apache-2.0
"""Results and snapshots as notebooks show them. Secrets are hidden; nothing runs and nothing is loaded from elsewhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Dict, Iterable, List, Sequence, Tuple

if TYPE_CHECKING:
    from ._kingpost import Resource
    from .fleet_result import FleetResult
    from .result import Result
    from .snapshot import Snapshot

_ROWS_MAX = 100
_DRAWN_MAX = 60  # resources of a graph that can still be read
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y = 170, 34, 50, 12
_COLORS = {"create": "#1a7f37", "delete": "#cf222e", "update": "#9a6700", "replace": "#8250df", "same": "#6e7781"}


def result_html(result: "Result") -> str:
    """The steps with their reasons, then what was told."""
    counts = ", ".join(f"{count} {escape(op)}" for op, count in result.summary.items()) or "nothing to do"
    rows = []
    for step in result.steps:
        family = next((name for name in ("replace", "create", "delete", "update") if name in step.op), "same")
        told = "FAILED " if step.failed else "AWAITING " if step.awaiting else ""
        why = step.reason.said if step.reason is not None else ", ".join(step.diffs)
        rows.append(
            f'<td style="color:{_COLORS[family]}">{escape(told + step.op)}</td>'
            f"<td>{escape(step.name)}</td><td>{escape(step.type)}</td><td>{escape(why)}</td>"
        )
    messages = "".join(f"<li>{escape(d.severity)}: {escape(d.message.strip())}</li>" for d in result.diagnostics[:_ROWS_MAX])
    return f"<div><b>{counts}</b>{_table(('step', 'name', 'type', 'why'), rows)}" + (
        f"<ul>{messages}</ul></div>" if messages else "</div>"
    )


def fleet_html(fleet: "FleetResult") -> str:
    """A row for each stack; what would change is to be found in the result of each."""
    rows = []
    for name, result in fleet.results.items():
        counts = ", ".join(f"{count} {op}" for op, count in result.summary.items())
        rows.append((name, "changed" if result.has_changes else "unchanged", counts))
    rows += [(name, "failed", str(error)) for name, error in fleet.errors.items()]
    rows += [(name, "skipped", why) for name, why in fleet.skipped.items()]
    cells = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in rows]
    return f"<div><b>{len(fleet)} stacks</b>{_table(('stack', 'outcome', ''), cells)}</div>"


def snapshot_html(snapshot: "Snapshot") -> str:
    """The resources, and who depends on whom."""
    rows = [
        f"<td>{escape(r.name)}</td><td>{escape(r.type)}</td><td>{escape(r.id)}</td><td>{escape(_marks(r))}</td>"
        for _, r in zip(range(_ROWS_MAX), snapshot)
    ]
    title = f"<b>{escape(snapshot.stack or 'a stack')}</b>, {len(snapshot)} resources"
    missing = len(snapshot) - len(rows)
    table = _table(("name", "type", "ID", ""), rows) + (f"<p>and {missing} more</p>" if missing > 0 else "")
    return f"<div>{title}{_graph(snapshot)}{table}</div>"


def _marks(resource: "Resource") -> str:
    marks = (("protected", resource.protect), ("to be replaced", resource.taint), ("to be deleted", resource.pending_delete))
    return ", ".join(name for name, is_set in marks if is_set)


def _table(heads: Sequence[str], rows: Iterable[str]) -> str:
    shown = list(rows)
    more = f"<p>and {len(shown) - _ROWS_MAX} more</p>" if len(shown) > _ROWS_MAX else ""
    head = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join(f"<tr>{row}</tr>" for row in shown[:_ROWS_MAX])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


# --- the graph ------------------------------------------------------------------------------------


def _graph(snapshot: "Snapshot") -> str:
    """Dependents stand right of their dependencies. Nothing, where it is too large to be read or not in order."""
    if not 0 < len(snapshot) <= _DRAWN_MAX or snapshot.problem is not None:
        return ""
    from .graph import dependency_graph

    resources = [r for r in snapshot if not r.type.startswith("pulumi:")]
    arrows: Dict[str, List[str]] = {}
    names = {r.urn for r in resources}
    for edge in dependency_graph(snapshot).edges():
        if edge.source in names and edge.target in names and edge.target != edge.source:
            arrows.setdefault(edge.source, []).append(edge.target)
    columns: Dict[str, int] = {}
    filled: Dict[int, int] = {}
    places: Dict[str, Tuple[int, int]] = {}
    for resource in resources:  # dependencies first
        column = 1 + max((columns.get(target, 0) for target in arrows.get(resource.urn, ())), default=-1)
        row = filled.get(column, 0)
        columns[resource.urn], filled[column] = column, row + 1
        places[resource.urn] = (column * (_WIDTH + _GAP_X), row * (_HEIGHT + _GAP_Y))
    if not places:
        return ""
    lines = [
        _line(places[source], places[target]) for source, targets in arrows.items() for target in dict.fromkeys(targets)
    ]
    boxes = [_box(places[r.urn], r.name, r.type) for r in resources if r.urn in places]
    width = max(x for x, _ in places.values()) + _WIDTH + 2
    height = max(y for _, y in places.values()) + _HEIGHT + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11" style="display:block">{"".join(lines + boxes)}</svg>'
    )


def _line(source: Tuple[int, int], target: Tuple[int, int]) -> str:
    x1, y1 = target[0] + _WIDTH, target[1] + _HEIGHT // 2
    x2, y2 = source[0], source[1] + _HEIGHT // 2
    return f'<path d="M{x1} {y1} C{x1 + 25} {y1} {x2 - 25} {y2} {x2} {y2}" fill="none" stroke="#8c959f"/>'


def _box(place: Tuple[int, int], name: str, type: str) -> str:
    x, y = place
    short = name if len(name) <= 24 else name[:23] + "…"
    return (
        f'<g><title>{escape(type)} {escape(name)}</title><rect x="{x + 1}" y="{y + 1}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'rx="4" fill="#f6f8fa" stroke="#8c959f"/><text x="{x + 8}" y="{y + 15}">{escape(short)}</text>'
        f'<text x="{x + 8}" y="{y + 28}" fill="#6e7781">{escape(type.rpartition(":")[2][:24])}</text></g>'
    )
