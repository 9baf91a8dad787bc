# SPDX-License-Identifier: Apache-2.0
"""The rows of the table, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    area: str  # "protocol", "commands", ...
    change: str  # "new", "gone", "other text", ...
    what: str
    here: str = ""  # "has", "lacks"; empty where there is nothing to have


def table(rows: Iterable[Row]) -> str:
    """As Markdown, with an area's rows together, in the order in which they came."""
    lines = ["| area | change | what | here |", "|---|---|---|---|"]
    for row in rows:
        lines.append("| " + " | ".join((row.area, row.change, row.what.replace("|", "\\|"), row.here)) + " |")
    return "\n".join(lines)


def changes(area: str, old: dict[str, str], new: dict[str, str], have: set[str] | None = None) -> list[Row]:
    """The names that are new, gone, or changed: `old` and `new` are names with anything that can be compared.
    `have` is what there is here."""
    def here(name: str) -> str:
        return "" if have is None else "has" if name in have else "lacks"
    rows = [Row(area, "new", name, here(name)) for name in sorted(new.keys() - old.keys())]
    rows += [Row(area, "gone", name) for name in sorted(old.keys() - new.keys())]
    return rows + [Row(area, "changed", name) for name in sorted(old.keys() & new.keys()) if old[name] != new[name]]
