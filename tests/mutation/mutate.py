#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks one line at a time and tells which defects no test notices.

usage: mutate.py [FOLDER]... [--sample N] [--seed S] [--quick | --own] [--in PLACE...] [--list]

FOLDER is decisions, engine, update_plan, journal or model (default: all). The script works on a copy of the sources in
build/mutate, and builds kp_tests there. For each mutant it compiles one file, links, and runs the tests of the folder. If those
pass, it runs the others that reach the file: of the engine and the scenarios. It replaces a mutant that does not compile.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from operators import Mutant, mutants_of

REPOSITORY = Path(__file__).resolve().parents[2]
COPY = REPOSITORY / "build" / "mutate"
BUILD = COPY / "build"
FOLDERS = ["decisions", "engine", "update_plan", "journal", "model"]
AREAS = ["model", "update_plan", "decisions", "journal", "engine", "scenarios"]
MEMORY_MAX = 6 * 2**30  # a loop that never ends may also fill the memory
# After a folder's own tests, cheap ones first; programs made by chance are for the night.
OTHERS = ["[scenarios]~[random]", "~[scenarios]~[random]"]


@dataclass(frozen=True)
class Site:
    folder: str
    file: str  # from the top of the repository
    number: int
    was: str
    mutant: Mutant


@dataclass(frozen=True)
class Verdict:
    site: Site
    result: str  # killed by "its own" tests or "others", "endless", or "survived"
    seconds: float


def main() -> int:
    options = parse()
    candidates = {folder: sites(folder, options) for folder in options.folders or FOLDERS}
    if options.list:
        for found in candidates.values():
            print("\n".join(f"{s.file}:{s.number}: {s.mutant.what}: {s.mutant.line.strip()}" for s in found))
        return 0
    COPY.mkdir(parents=True, exist_ok=True)
    lock = (COPY / "lock").open("w")  # held until the end
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"mutate: another run is at work in {COPY}")
    copy_sources()
    build_unchanged(list(candidates) if options.own else AREAS)
    others = [] if options.own else OTHERS[:1] if options.quick else OTHERS
    seconds = {tests: timed(tests) for tests in (*map(own_tests, candidates), *others)}
    print("unchanged: " + ", ".join(f"{tests[:40]} {took:.1f} s" for tests, took in seconds.items()), flush=True)
    verdicts: list[Verdict] = []
    for folder, found in candidates.items():
        verdicts += judge_sample(folder, found, options.sample or len(found), seconds)
    report(verdicts, options)
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="*", choices=[*FOLDERS, []], help="folders of cpp/ (default: all)")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each folder; 0: every one (hours)")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--quick", action="store_true", help="without the exhaustive tests, which take longest")
    parser.add_argument("--own", action="store_true",
                        help="the folders' own tests alone, and nothing else is built: quick, but others may kill survivors")
    parser.add_argument("--in", dest="places", nargs="+", metavar="PLACE",
                        help="FILE or FILE:LINE, from the top of the repository: the mutants there alone")
    parser.add_argument("--list", action="store_true", help="show what would be done, in order")
    return parser.parse_args()


def sites(folder: str, options: argparse.Namespace) -> list[Site]:
    """Every mutant of the folder, in an order that the seed gives: lines first, so that long ones do not count for more."""
    lines: list[list[Site]] = []
    for path in sorted((REPOSITORY / "cpp" / folder).rglob("*.cc")):
        file = str(path.relative_to(REPOSITORY))
        for number, text in enumerate(path.read_text().split("\n"), 1):
            if options.places and not {file, f"{file}:{number}"} & set(options.places):
                continue
            of_line = [Site(folder, file, number, text, mutant) for mutant in mutants_of(text)]
            if of_line:
                lines.append(of_line)
    chance = random.Random(f"{options.seed}/{folder}")
    chance.shuffle(lines)
    for of_line in lines:
        chance.shuffle(of_line)
    rounds = max((len(of_line) for of_line in lines), default=0)
    return [of_line[i] for i in range(rounds) for of_line in lines if i < len(of_line)]


def copy_sources() -> None:
    """Copies the files that git knows, and leaves unchanged ones alone, so that the build there continues."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, text=True, check=True,
                            capture_output=True).stdout.split("\n")
    for name in listed:
        source, target = REPOSITORY / name, COPY / name
        if not name or not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def build_unchanged(areas: list[str]) -> None:
    configure = ["cmake", "--preset", "release", "--no-warn-unused-cli", "-DKINGPOST_BATCHES=OFF",
                 f"-DKINGPOST_TEST_AREAS={';'.join(areas)}"]
    for command in (configure, compile_command()):
        done = subprocess.run(command, cwd=COPY, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\nmutate: the unchanged sources do not build")


def compile_command() -> list[str]:
    return ["cmake", "--build", str(BUILD), "--target", "kp_tests"]


def own_tests(folder: str) -> str:
    """The test cases in the folder's files, as Catch2 names them."""
    return ",".join(f"[#{path.stem}]" for path in sorted((COPY / "tests" / "cpp" / folder).rglob("*_test.cc")))


def timed(tests: str) -> float:
    began = time.monotonic()
    if passes(tests, 1800) is not True:
        sys.exit(f"mutate: the unchanged sources fail {tests}")
    return time.monotonic() - began


def passes(tests: str, limit_s: float) -> bool | None:
    """Whether the tests pass; None if they do not end."""
    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    command = [str(BUILD / "bin" / "kp_tests"), "--filenames-as-tags", "--abort", tests]
    try:
        done = subprocess.run(command, cwd=COPY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit_s,
                              preexec_fn=bound, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode == 0


def judge_sample(folder: str, found: list[Site], count: int, seconds: dict[str, float]) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for site in found:
        if len(verdicts) == count:
            break
        began = time.monotonic()
        result = judge(site, seconds)
        if result is None:
            continue
        verdicts.append(Verdict(site, result, time.monotonic() - began))
        print(f"{len(verdicts):3}/{min(count, len(found))} {result:11} {site.file}:{site.number}: {site.mutant.what}",
              flush=True)
    return verdicts


def judge(site: Site, seconds: dict[str, float]) -> str | None:
    """None if the mutant does not compile."""
    file = COPY / site.file
    original = file.read_text()
    lines = original.split("\n")
    lines[site.number - 1] = site.mutant.line
    file.write_text("\n".join(lines))
    try:
        # Nobody will build a mutant again: the compiler's cache is not to be filled with them.
        built = subprocess.run(compile_command(), cwd=COPY, env=os.environ | {"CCACHE_DISABLE": "1"}, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if built.returncode != 0:
            return None
        own = own_tests(site.folder)
        for tests in (own, *(tests for tests in OTHERS if tests in seconds)):
            passed = passes(tests, 30 + 10 * seconds[tests])
            if passed is None:
                return "endless"
            if not passed:
                return "its own" if tests == own else "others"
        return "survived"
    finally:
        file.write_text(original)


def report(verdicts: list[Verdict], options: argparse.Namespace) -> None:
    survivors = [v for v in verdicts if v.result == "survived"]
    print("\nNot noticed by any test:")
    for verdict in survivors:
        site = verdict.site
        print(f"{site.file}:{site.number}: {site.mutant.what}\n    {site.was.strip()}\n    {site.mutant.line.strip()}")
    print(f"\n{'folder':8} mutants  killed by: its own tests  others  no end  survived  share killed")
    for folder in dict.fromkeys(v.site.folder for v in verdicts):
        of = [v.result for v in verdicts if v.site.folder == folder]
        killed = len(of) - of.count("survived")
        print(f"{folder:8} {len(of):7} {of.count('its own'):25} {of.count('others'):7} {of.count('endless'):7} "
              f"{of.count('survived'):9} {killed / len(of):13.0%}")
    results = COPY / "verdicts.json"
    results.write_text(json.dumps([asdict(v) for v in verdicts], indent=1) + "\n")
    print(f"\nseed {options.seed}; all verdicts: {results}")


if __name__ == "__main__":
    sys.exit(main())
