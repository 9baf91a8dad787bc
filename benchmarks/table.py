#!/usr/bin/env python3
"""A table from the JSON lines that the scale harness writes: one line per phase and size, the engines side by side.

usage: table.py FILE...
"""

import collections
import json
import statistics
import sys


def main(files: list) -> None:
    runs = collections.defaultdict(list)
    for name in files:
        with open(name, encoding="utf-8") as file:
            for line in file:
                run = json.loads(line)
                runs[run["N"], run["Phase"], run["DUT"]].append(run)
    engines = sorted({key[2] for key in runs})
    units = ("wall s", "CPU s", "peak MiB", "MiB written")
    print("| N | phase | " + " | ".join(f"{engine} {unit}" for engine in engines for unit in units) + " |")
    print("|---:|---|" + "---:|" * (len(engines) * len(units)))
    for size, phase in dict.fromkeys(key[:2] for key in runs):
        cells = []
        for engine in engines:
            cells += figures(runs.get((size, phase, engine), []), len(units))
        print(f"| {size:,} | {phase} | " + " | ".join(cells) + " |")


def figures(runs: list, count: int) -> list:
    """Medians of the runs that came to their end, or why there is none."""
    whole = [r for r in runs if not r.get("Stopped") and r.get("ExitCode", 0) == 0]
    if not whole:
        why = f"stopped at {runs[0]['WallS']:.0f} s" if runs else "not run"
        return [why] + [""] * (count - 1)

    def median(field: str, scale: float = 1) -> float:
        return statistics.median(r[field] for r in whole) / scale

    return [f"{median('WallS'):.2f}", f"{median('CPUS'):.2f}", f"{median('MaxRSSMiB'):.0f}",
            f"{median('WriteBytes', 2**20):.1f}"]


if __name__ == "__main__":
    main(sys.argv[1:])
