#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Explores every state of the protocols by which commands share a stack, with spin: in a bucket (shared_stack.pml) and in
PostgreSQL (shared_table.pml).

usage: check.py [NAME...]    those checks alone; --quick leaves out the proofs that take minutes

The checks find each former fault in the protocol as it was then, and none in the protocol as it is. A model that finds no
fault anywhere would prove nothing.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

BUCKET = Path(__file__).with_name("shared_stack.pml")
TABLE = Path(__file__).with_name("shared_table.pml")
MEMORY_MB = 12_000


@dataclass(frozen=True)
class Check:
    name: str
    macros: tuple[str, ...]
    holds: bool
    slow: bool = False
    model: Path = BUCKET


def settings(commands: int, cancels: int, late: int, batches: int = 1) -> tuple[str, ...]:
    return (f"COMMANDS={commands}", f"CANCELS={cancels}", f"LATE={late}", f"BATCHES={batches}")


CHECKS = [
    Check("a late cancel put whatever there is", ("OLD_CANCEL", *settings(2, 1, 1)), holds=False),
    Check("a late release deleted the heir's head", ("OLD_RELEASE", *settings(2, 1, 1)), holds=False),
    Check("a cancel left a saved head to be waited for", ("OLD_SAVED", *settings(2, 1, 1)), holds=False),
    Check("a lock that came late was somebody's", ("OLD_LOCK", *settings(3, 0, 1)), holds=False),
    Check("a save of who is gone replaced what the heir began with", ("OLD_RECLAIM", *settings(2, 1, 1)), holds=False),
    Check("one checkpoint was remembered of those a run went into", ("OLD_COMMIT", *settings(2, 1, 1)), holds=False),
    Check("the checkpoint was read after the head was written", ("OLD_ORDER", *settings(3, 0, 0)), holds=False),
    Check("two commands and a cancel, two records each", settings(2, 1, 0, batches=2), holds=True),
    Check("two commands, one request late or twice", settings(2, 0, 1), holds=True),
    Check("three commands", settings(3, 0, 0), holds=True),
    Check("two commands and a cancel, one request late or twice", settings(2, 1, 1), holds=True, slow=True),
    Check("a transaction that took a stack took it again for one who was gone", ("OLD_TABLE", *settings(2, 0, 1)), holds=False,
          model=TABLE),
    Check("a batch was put without the lock of its owner", ("OLD_GUARD", *settings(2, 0, 1)), holds=False, model=TABLE),
    Check("a table: two commands, one transaction late or twice", settings(2, 0, 1), holds=True, model=TABLE),
    Check("a table: two commands and a cancel, two records each", settings(2, 1, 0, batches=2), holds=True, model=TABLE),
    Check("a table: two commands and a cancel, one transaction late or twice", settings(2, 1, 1), holds=True, model=TABLE),
]


def explore(check: Check, folder: Path) -> tuple[bool, str]:
    """Whether no state breaks what must hold, and what was explored."""
    subprocess.run(["spin", "-a", *(f"-D{macro}" for macro in check.macros), str(check.model)], cwd=folder, check=True,
                   capture_output=True)
    subprocess.run(["gcc", "-O2", "-DSAFETY", "-DCOLLAPSE", "-DNOFAIR", f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c"],
                   cwd=folder, check=True)
    said = subprocess.run(["./pan", "-m100000"], cwd=folder, check=True, capture_output=True, text=True).stdout
    states = re.search(r"^\s*(\S+) states, stored", said, re.MULTILINE)
    errors = re.search(r"errors: (\d+)", said)
    if not states or not errors or "Search not completed" in said and errors[1] == "0":
        raise RuntimeError(f"{check.name}: not all states were explored:\n{said[-2000:]}")
    return errors[1] == "0", f"{int(float(states[1])):,} states"


def main(arguments: list[str]) -> int:
    if not shutil.which("spin"):
        print("spin is not installed: apt-get install spin", file=sys.stderr)
        return 1
    names = [argument for argument in arguments if not argument.startswith("-")]
    wrong = 0
    for check in CHECKS:
        if (names and check.name not in names) or (check.slow and "--quick" in arguments):
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            held, explored = explore(check, Path(folder))
        wrong += held != check.holds
        verdict = "as it should be" if held == check.holds else "WRONG"
        found = "holds" if held else "is broken"
        print(f"{check.name}: {found}, {verdict}; {explored}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{wrong} of these checks went wrong" if wrong else "every fault of the protocol as it was is found, and none in it as it is")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
