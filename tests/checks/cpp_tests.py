#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C++ tests on all cores: several processes of kp_tests, each of which takes the next group of cases.

usage: cpp_tests.py [--strict] PROGRAM [TESTS...]      TESTS as kp_tests takes them: "[journal]", "~[simulation]"

A case with the tag [long] takes several seconds on an idle machine. It is a group of its own and begins first, so that
none of them delays the end. The others go by tens in the order of their files. What a group printed is shown whole if
any of its cases failed. One or two cases that fail beside others and pass alone are told as unsteady, in lines that
tests/checks/unsteady.py reads; with --strict they are told as well, and fail.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from unsteady import UNSTEADY

GROUP = 10
FORGIVEN = 2
SLOWEST = 10


@dataclass(frozen=True)
class Case:
    name: str
    passed: bool
    seconds: float


@dataclass(frozen=True)
class Ended:
    cases: list[Case]
    code: int
    said: str

    def failed(self) -> list[str]:
        return [case.name for case in self.cases if not case.passed]


def names_of(program: str, tests: list[str]) -> list[str]:
    """Catch2 ends a listing with the number of its lines as exit code."""
    listed = subprocess.run([program, "--list-test-names-only", *tests], text=True, check=False, stdout=subprocess.PIPE)
    return [name for name in listed.stdout.split("\n") if name]


def as_argument(name: str) -> str:
    """A name that begins with a hyphen would be an option."""
    return "".join("\\" + c if c in ',["\\-' else c for c in name)


def groups(names: list[str], long: set[str]) -> list[list[str]]:
    short = [name for name in names if name not in long]
    return [[name] for name in names if name in long] + [short[at:at + GROUP] for at in range(0, len(short), GROUP)]


def play(program: str, names: list[str]) -> Ended:
    """A process that crashes takes one case with it; the rest of the group goes on in another."""
    cases, code, said, left = [], 0, "", names
    while left:
        with tempfile.NamedTemporaryFile("r", prefix="kp-case-results-") as results:
            done = subprocess.run([program, ",".join(map(as_argument, left))], text=True, errors="replace", check=False,
                                  env=os.environ | {"KINGPOST_CASE_RESULTS": results.name}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            heard = list(_read(results))
        cases += heard
        code, said = code or done.returncode, said + done.stdout
        left = left[len(heard):]
        if left:
            said += f"── kp_tests ended with {done.returncode} in: {left[0]}\n"
            cases.append(Case(left.pop(0), False, 0))
    return Ended(cases, code, said)


def _read(lines: Iterable[str]) -> Iterator[Case]:
    for line in lines:
        result, seconds, name = line.rstrip("\n").split("\t")
        yield Case(name, result == "passed", float(seconds))


def play_all(program: str, tests: list[str], cores: int) -> list[Ended]:
    every = names_of(program, tests)
    long = set(names_of(program, ["[long]"]))

    def told(names: list[str]) -> Ended:
        ended = play(program, names)
        if ended.failed() or ended.code:
            print(ended.said, flush=True)
        return ended

    with ThreadPoolExecutor(cores) as pool:
        return list(pool.map(told, groups(every, long)))


def tell_slowest(cases: list[Case]) -> None:
    print(f"slowest {SLOWEST} C++ cases:")
    for case in sorted(cases, key=lambda case: -case.seconds)[:SLOWEST]:
        print(f"{case.seconds:8.2f} s  {case.name}")


def tell_skipped(said: list[str]) -> None:
    """Each process says at its end "SKIPPED [count] why"."""
    counts: Counter[str] = Counter()
    for count, why in re.findall(r"^SKIPPED \[(\d+)\] (.*)$", "\n".join(said), re.MULTILINE):
        counts[why] += int(count)
    for why, count in counts.items():
        print(f"SKIPPED [{count}] {why}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("program")
    parser.add_argument("tests", nargs="*")
    given = parser.parse_args()
    began = time.monotonic()
    ends = play_all(given.program, given.tests, os.cpu_count() or 1)
    cases = [case for end in ends for case in end.cases]
    if not cases:
        print("cpp_tests: there is no such case")
        return 1
    failed = [name for end in ends for name in end.failed()]
    broken = [end for end in ends if end.code and not end.failed()]
    tell_skipped([end.said for end in ends])
    tell_slowest(cases)
    print(f"C++ tests: {len(cases)} cases, {len(failed)} failed, in {time.monotonic() - began:.0f} s", flush=True)
    if not failed and not broken:
        return 0
    if broken or len(failed) > FORGIVEN:
        return 1
    print("── once more and alone: " + "; ".join(failed), flush=True)
    again = [play(given.program, [name]) for name in failed]
    for end in again:
        if end.failed() or end.code:
            print(end.said)
            return 1
    for name in failed:
        print(f"{UNSTEADY} {name}")
    return 1 if given.strict else 0


if __name__ == "__main__":
    sys.exit(main())
