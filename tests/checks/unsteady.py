#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The list of unsteady tests, tests/unsteady.md: a test that was unsteady in two of ten nightly runs is mended or removed.

usage: unsteady.py                             the check: each test of the list is there, and none was unsteady twice
       unsteady.py --record LOG [--run DATE]   adds a nightly run, whose `./dev test --strict` printed LOG, and checks
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LIST = REPOSITORY / "tests" / "unsteady.md"
UNSTEADY = "UNSTEADY, passed alone:"  # begins a line of `./dev test`; the test follows
RUNS_KEPT = 10
OFTEN = 2
_RUNS, _NO_RUNS = "Nightly runs: ", "none yet"
_ROW = re.compile(r"^\| `(.+)` \| (\d{4}-\d\d-\d\d(?:, \d{4}-\d\d-\d\d)*) \|$")
_HEAD = re.compile(r"^\| test \||^\|---\|")


@dataclass
class Unsteady:
    introduction: str  # what stands before the runs
    runs: list[str]  # dates, the oldest first
    dates: dict[str, list[str]] = field(default_factory=dict)  # by test

    @staticmethod
    def parse(text: str) -> Unsteady:
        introduction, found, rest = text.partition("\n" + _RUNS)
        if not found:
            sys.exit(f"{LIST}: no line begins with {_RUNS!r}")
        first, *lines = rest.split("\n")
        listed = Unsteady(introduction, [] if first == _NO_RUNS else first.split(", "))
        for line in lines:
            if row := _ROW.match(line):
                listed.dates[row[1]] = row[2].split(", ")
            elif line and not _HEAD.match(line):
                sys.exit(f"{LIST}: not a row `test` | dates: {line}")
        return listed

    def text(self) -> str:
        rows = [f"| `{test}` | {', '.join(dates)} |\n" for test, dates in sorted(self.dates.items())]
        return (f"{self.introduction}\n{_RUNS}{', '.join(self.runs) or _NO_RUNS}\n\n"
                f"| test | was unsteady in the runs of |\n|---|---|\n{''.join(rows)}")

    def record(self, run: str, tests: list[str]) -> None:
        """A run that is recorded already is amended."""
        self.runs = sorted({*self.runs, run})[-RUNS_KEPT:]
        for test in tests:
            self.dates[test] = sorted({*self.dates.get(test, []), run})
        kept = {test: [date for date in dates if date in self.runs] for test, dates in self.dates.items()}
        self.dates = {test: dates for test, dates in kept.items() if dates}

    def defects(self, exists: Callable[[str], bool]) -> list[str]:
        found: list[str] = []
        for test, dates in self.dates.items():
            if stray := [date for date in dates if date not in self.runs]:
                found.append(f"{test}: {', '.join(stray)} is none of the last {RUNS_KEPT} nightly runs; remove the date")
            if not exists(test):
                found.append(f"{test}: there is no such test any more; remove its row")
            elif len(dates) >= OFTEN:
                found.append(f"{test}: was unsteady in {len(dates)} of the last {RUNS_KEPT} nightly runs; mend it or remove "
                             "it, and its row with it")
        return found


def told_in(log: str) -> list[str]:
    return [line.removeprefix(UNSTEADY).strip() for line in log.split("\n") if line.startswith(UNSTEADY)]


def exists(test: str) -> bool:
    """tests/py/test_a.py::test_b[c] names a Python test; anything else is the name of a C++ case."""
    file, separator, function = test.partition("::")
    if separator and file.endswith(".py"):
        function = function.partition("[")[0].rpartition("::")[2]
        return (REPOSITORY / file).is_file() and f"def {function}(" in (REPOSITORY / file).read_text()
    escaped = test.replace("\\", "\\\\").replace('"', '\\"')
    sources = (REPOSITORY / "tests" / "cpp").rglob("*_test.cc")
    return any(escaped in re.sub(r'"\s*\n\s*"', "", source.read_text()) for source in sources)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=Path, metavar="LOG")
    parser.add_argument("--run", default=datetime.date.today().isoformat(), metavar="DATE")
    given = parser.parse_args()
    listed = Unsteady.parse(LIST.read_text())
    if given.record:
        listed.record(given.run, told_in(given.record.read_text(errors="replace")))
        LIST.write_text(listed.text())
        print(f"{LIST.relative_to(REPOSITORY)} knows of the run of {given.run}: commit it")
    found = listed.defects(exists)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
