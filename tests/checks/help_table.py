# SPDX-License-Identifier: Apache-2.0
"""Compares the help of every command with the reference's: what is missing here, and why.

    KINGPOST_PEER=... tests/checks/help_table.py            prints the table
    KINGPOST_PEER=... tests/checks/help_table.py --check    compares it with tests/data/missing_commands.txt

Each line of that file is a command, or a command with a flag, and after " | " the reason why it is not here. A path that
ends in " *" stands for all below it. tests/py/test_help_table.py compares the two as well.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from reference.commands import ANY_FLAG, children, flags_of, help_of

REPOSITORY = Path(__file__).resolve().parents[2]
REASONS = REPOSITORY / "tests" / "data" / "missing_commands.txt"


def walk(command: str, path: str, skipped: set[str]) -> dict[str, set[str]]:
    """Path -> its own flags, for a command and all below it; what is missing as a whole is not gone into."""
    text = help_of(command, path)
    commands = {path: flags_of(text)}
    for word in children(text):
        below = f"{path} {word}".strip()
        if below in skipped:
            commands[below] = set()
        else:
            commands |= walk(command, below, skipped)
    return commands


def reasons() -> dict[str, str]:
    lines = [line for line in REASONS.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split(" | ", 1) for line in lines)


def missing(ours: str, peer: str) -> set[str]:
    """"command" or "command --flag" for all that the real command has and this one has not."""
    whole = {path.removesuffix(" *") for path in reasons() if path.endswith(" *")}
    found = set()
    for path, flags in walk(peer, "", whole).items():
        if path in whole:
            if not help_of(ours, path):
                found.add(path + " *")
            continue
        text = help_of(ours, path)
        if not text:
            found.add(path)
            continue
        known = set(ANY_FLAG.findall(text))
        found |= {f"{path} --{flag}".strip() for flag in flags - known}
    return found


def differences(ours: str, peer: str) -> list[str]:
    """The missing entries of the file, and its needless ones."""
    found, told = missing(ours, peer), set(reasons())
    return ([f"missing, without a reason: {line}" for line in sorted(found - told)] +
            [f"has a reason, and is not missing: {line}" for line in sorted(told - found)])


def main() -> int:
    peer = os.environ.get("KINGPOST_PEER")
    if not peer:
        print("KINGPOST_PEER names no command to compare with", file=sys.stderr)
        return 2
    ours = os.environ.get("KINGPOST_BIN") or str(REPOSITORY / "build" / "bin" / "kingpost")
    if "--check" in sys.argv[1:]:
        lines = differences(ours, peer)
        print("\n".join(lines))
        return 1 if lines else 0
    told = reasons()
    for line in sorted(missing(ours, peer)):
        print(f"{line} | {told.get(line, '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
