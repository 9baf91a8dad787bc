# SPDX-License-Identifier: Apache-2.0
"""A chart of the history: processor time per phase over commits, as SVG."""

from __future__ import annotations

from html import escape

from report import medians

_WIDTH, _HEIGHT, _LEFT, _TOP, _BELOW, _LEGEND = 860, 400, 60, 40, 90, 170
_COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8e5572", "#d4a017", "#555555"]


def draw(history: list[dict]) -> str:
    """Each figure as a multiple of the yardstick of its machine, in the units of the newest: machines may change."""
    lines = _lines(history)
    top = max((value for values in lines.values() for value in values if value is not None), default=1) * 1.1
    across, down = _WIDTH - _LEFT - _LEGEND, _HEIGHT - _TOP - _BELOW

    def place(index: int, value: float) -> tuple[float, float]:
        return _LEFT + across * (index + 0.5) / len(history), _TOP + down * (1 - value / top)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" '
             'font-size="11">', f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
             f'<text x="{_LEFT}" y="20" font-size="14">Processor seconds of the command, by commit</text>']
    for step in range(5):
        value = top * step / 4
        y = place(0, value)[1]
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + across}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>'
                     f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    for index, entry in enumerate(history):
        x = place(index, 0)[0]
        parts.append(f'<text transform="translate({x:.1f},{_HEIGHT - _BELOW + 14}) rotate(40)">'
                     f'{escape(entry["commit"][:8])} {escape(entry["date"][:10])}</text>')
    for number, (name, values) in enumerate(lines.items()):
        parts += _line(name, [place(i, v) for i, v in enumerate(values) if v is not None], number)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _lines(history: list[dict]) -> dict[str, list[float | None]]:
    found = [medians(entry["load"]) for entry in history]
    newest = history[-1]["machine"]["yardstick_s"]
    keys = [key for key in found[-1] if key[0] == "kingpost" and key[1] == "wide" and not key[3]]
    return {f"{key[4]}, {key[2]:,}": [
        of[key]["cpu_s"] * newest / entry["machine"]["yardstick_s"] if key in of else None
        for entry, of in zip(history, found, strict=True)] for key in keys}


def _line(name: str, points: list[tuple[float, float]], number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    y = _TOP + 16 * number
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
            *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points),
            f'<rect x="{_WIDTH - _LEGEND + 10}" y="{y}" width="10" height="10" fill="{colour}"/>'
            f'<text x="{_WIDTH - _LEGEND + 26}" y="{y + 9}">{escape(name)}</text>']
