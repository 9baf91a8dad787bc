#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the command under its own load, and its parts; see README.md beside it.

usage: bench.py [--small] [--count N]... [--shape SHAPE]... [--latency-ms MS] [--phase PHASE]... [--repeat N]
                [--no-parts] [--record] [--limit FACTOR]
       bench.py --waits [--saves N] [--repeat N]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import chart
import machine
import report
import waits
from measure import PHASES, Engine, Failed, Load, measure

HERE = Path(__file__).parent
BUILD = Path(os.environ.get("KINGPOST_BUILD") or machine.REPOSITORY / "build")
HISTORY = HERE / "history.jsonl"
CHART = HERE / "history.svg"

SMALL = [Load(500), Load(500, "layers"), Load(500, "components"),
         Load(100, latency_ms=20, phases=("create", "noop-up", "destroy"))]
LARGE = [Load(1000), Load(1000, "layers"), Load(1000, "components"), Load(10_000),
         Load(1000, latency_ms=50, phases=("create", "noop-preview", "refresh", "destroy"))]


def main() -> int:
    options = parse()
    engines = {"kingpost": Path(os.environ.get("KINGPOST_BIN") or BUILD / "bin" / "kingpost")}
    if os.environ.get("KINGPOST_PEER"):
        engines["pulumi"] = Path(os.environ["KINGPOST_PEER"])
    results = {**machine.commit(), "machine": machine.describe(), "load": [], "parts": {}}
    if options.waits:
        return tell_waits(results, engines, options)
    try:
        for load in loads(options):
            for _ in range(options.repeat):
                results["load"] += run(load, engines)
    except Failed as failed:
        print(f"bench: {failed}", file=sys.stderr)
        return 1
    if not options.no_parts:
        results["parts"] = parts()
    tell(results)
    return judge(results, options)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench", description="Measures the command under its own load, and its parts.")
    parser.add_argument("--small", action="store_true", help="500 resources instead of 1,000 and 10,000; a minute or two")
    parser.add_argument("--count", type=int, action="append", help="so many resources instead; may be given again")
    parser.add_argument("--shape", choices=("wide", "layers", "components"), action="append", help="with --count")
    parser.add_argument("--latency-ms", type=int, default=0, help="of each call to the provider, with --count")
    parser.add_argument("--phase", choices=PHASES, action="append", help="with --count; create comes first")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each load; the tables show medians")
    parser.add_argument("--waits", action="store_true", help="instead: what a person waits for, with the real SDK")
    parser.add_argument("--saves", type=int, default=50, help="with --waits: so many saved files below `watch`")
    parser.add_argument("--no-parts", action="store_true", help="without the micro-benchmarks")
    parser.add_argument("--record", action="store_true", help=f"add the results to {HISTORY.name}, and draw {CHART.name}")
    parser.add_argument("--limit", type=float, help="fail if anything takes so many times what was recorded last")
    return parser.parse_args()


def loads(options: argparse.Namespace) -> list[Load]:
    if not options.count:
        return SMALL if options.small else LARGE
    phases = tuple(options.phase or PHASES)
    if phases[0] != "create":
        phases = ("create", *phases)
    return [Load(count, shape, options.latency_ms, phases)
            for count in options.count for shape in options.shape or ["wide"]]


def run(load: Load, engines: dict[str, Path]) -> list[dict]:
    """All phases, each with one engine after the other, so that what else the machine does meets them all."""
    found = []
    with tempfile.TemporaryDirectory(prefix="kingpost-bench-") as root:
        running = [Engine(name, command.absolute(), Path(root) / name) for name, command in engines.items()]
        for engine in running:
            engine.begin()
        for phase in load.phases:
            for engine in running:
                print(f"── {load.name}: {phase}, {engine.name}", file=sys.stderr, flush=True)
                found.append(measure(engine, load, phase, BUILD / "bin" / "kp_load"))
    return found


def parts() -> dict[str, float]:
    """Name → microseconds of processor time, or of the clock where the disk takes part."""
    print("── parts", file=sys.stderr, flush=True)
    done = subprocess.run([BUILD / "bin" / "kp_parts", "--benchmark_format=json", "--benchmark_min_time=0.2"], text=True,
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    micros = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
    found = {}
    for one in json.loads(done.stdout)["benchmarks"]:
        if one.get("error_occurred"):
            raise SystemExit(f"bench: {one['name']}: {one['error_message']}")
        name, _, timed = one["name"].partition("/")
        found[name] = round(one["real_time" if timed == "real_time" else "cpu_time"] * micros[one["time_unit"]], 3)
    return found


def conditions(results: dict) -> str:
    of = results["machine"]
    return (f"{results['date']}, commit {results['commit']}{' with changes' if results['changed'] else ''}; {of['cores']} × "
            f"{of['cpu']}, {of['memory_gib']} GiB, {of['system']}, load {of['load']}, yardstick {of['yardstick_s']} s")


def tell_waits(results: dict, engines: dict[str, Path], options: argparse.Namespace) -> int:
    try:
        found = waits.run(engines, options.repeat, options.saves)
    except Failed as failed:
        print(f"bench: {failed}", file=sys.stderr)
        return 1
    print(f"\n{conditions(results)}\n\n{waits.tables(found)}")
    keep(results | {"waits": found}, "waits.json")
    return 0


def tell(results: dict) -> None:
    print(f"\n{conditions(results)}\n")
    print(report.load_table(results["load"]))
    if results["parts"]:
        print("\n" + report.parts_table(results["parts"]))
    keep(results, "results.json")


def keep(results: dict, name: str) -> None:
    target = BUILD / "bench" / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\nall figures: {target}")


def judge(results: dict, options: argparse.Namespace) -> int:
    """Compares with what was recorded last, and records."""
    history = [json.loads(line) for line in HISTORY.read_text().splitlines()] if HISTORY.exists() else []
    found = report.slower(history[-1], results, options.limit) if history and options.limit else []
    for line in found:
        print(f"slower: {line}")
    if options.record:
        history.append(results)
        HISTORY.write_text("".join(json.dumps(entry) + "\n" for entry in history))
        CHART.write_text(chart.draw(history))
        print(f"recorded in {HISTORY}, drawn in {CHART}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
