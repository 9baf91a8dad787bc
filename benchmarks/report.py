# SPDX-License-Identifier: Apache-2.0
"""Results as text: tables of the load and of the parts, and what has become slower since."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

UNITS = (("wall_s", "wall s", 2), ("cpu_s", "CPU s", 2), ("memory_mib", "MiB", 0), ("written_mib", "MiB written", 1))
# Below this much processor time the start of the command counts for more than the work.
TOO_SHORT_S = 0.05
# Parts that wait for the disk: measured by the clock, and told, but too unsteady to compare.
BY_THE_CLOCK = {"AppendAndSync1000"}


def medians(runs: Iterable[dict]) -> dict[tuple, dict]:
    """(engine, shape, count, latency, phase) → medians of its runs."""
    groups: dict[tuple, list[dict]] = {}
    for run in runs:
        key = tuple(run[k] for k in ("engine", "shape", "count", "latency_ms", "phase"))
        groups.setdefault(key, []).append(run)
    fields = [name for name, _, _ in UNITS] + ["load_cpu_s"]
    return {key: {name: statistics.median(run[name] for run in group) for name in fields}
            for key, group in groups.items()}


def load_table(runs: list[dict]) -> str:
    found = medians(runs)
    engines = list(dict.fromkeys(key[0] for key in found))
    lines = ["| load | phase | " + " | ".join(f"{e} {unit}" for e in engines for _, unit, _ in UNITS) + " | load CPU s |",
             "|---|---|" + "---:|" * (len(engines) * len(UNITS) + 1)]
    for place in dict.fromkeys(key[1:] for key in found):
        shape, count, latency, phase = place
        cells = [f"{found[(e, *place)][name]:,.{digits}f}" if (e, *place) in found else ""
                 for e in engines for name, _, digits in UNITS]
        of_load = found[(engines[0], *place)]["load_cpu_s"]
        name = f"{shape} {count:,}" + (f", {latency} ms" if latency else "")
        lines.append(f"| {name} | {phase} | " + " | ".join(cells) + f" | {of_load:.2f} |")
    return "\n".join(lines)


def parts_table(parts: dict[str, float]) -> str:
    lines = ["| part | µs |", "|---|---:|"]
    return "\n".join(lines + [f"| {name} | {micros:,.1f} |" for name, micros in parts.items()])


def slower(old: dict, new: dict, limit: float) -> list[str]:
    """Lists figures of more than `limit` times their former processor time, each machine measured by its own
    yardstick."""
    scale = new["machine"]["yardstick_s"] / old["machine"]["yardstick_s"]
    before, after = medians(old["load"]), medians(new["load"])
    found = []
    for key in before.keys() & after.keys():
        was, now = max(before[key]["cpu_s"] * scale, TOO_SHORT_S), after[key]["cpu_s"]
        if key[0] == "kingpost" and now > limit * was:
            found.append(f"{key[1]} {key[2]} {key[4]}: {now:.2f} CPU s, {now / was:.2f} times as much as at {old['commit']}")
    for name in (old["parts"].keys() & new["parts"].keys()) - BY_THE_CLOCK:
        was, now = old["parts"][name] * scale, new["parts"][name]
        if now > limit * was:
            found.append(f"{name}: {now:.1f} µs, {now / was:.2f} times as much as at {old['commit']}")
    return sorted(found)
