# SPDX-License-Identifier: Apache-2.0
"""Commands, flags and texts of --help. Of the version that is followed they are recorded, because the command of only one
version is at hand: `./dev reference --record` writes them anew, with KINGPOST_PEER the command to follow."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

from .rows import Row

RECORD = Path(__file__).with_name("commands.txt")
_SECTION = re.compile(r"^(\w+ )*Commands:$")
_COMMAND = re.compile(r"^  ([a-z][a-z-]*) ")
_FLAG = re.compile(r"^ +(?:-\w, ?)?--([a-z][\w-]*)", re.MULTILINE)
ANY_FLAG = re.compile(r"--([a-z][\w-]*)")

Commands = dict[str, tuple[set[str], str]]  # path: its own flags, and the hash of its text


def help_of(command: str, path: str) -> str:
    env = os.environ | {"PULUMI_SKIP_UPDATE_CHECK": "1"}
    return subprocess.run([command, *path.split(), "--help"], capture_output=True, text=True, env=env, check=False).stdout


def children(text: str) -> list[str]:
    """The words below a command, as its help lists them."""
    found, inside = [], False
    for line in text.splitlines():
        if _SECTION.match(line):
            inside = True
        elif inside and not line.startswith("  "):
            inside = False
        elif inside and (match := _COMMAND.match(line)) and match[1] != "help":
            found.append(match[1])
    return found


def flags_of(text: str) -> set[str]:
    """Those of the command itself, by its help."""
    return set(_FLAG.findall(text.split("Global Flags:")[0])) - {"help"}


def commands_of(command: str, path: str = "") -> Commands:
    whole = help_of(command, path)
    text = whole.split("Global Flags:")[0]
    found: Commands = {path: (flags_of(text), hashlib.sha256(text.encode()).hexdigest()[:12])}
    for word in children(whole):
        found |= commands_of(command, f"{path} {word}".strip())
    return found


def written(version: str, commands: Commands) -> str:
    lines = [f"# Commands of the reference {version}: path | hash of its --help | flags. Written by ./dev reference --record."]
    for path, (flags, text) in sorted(commands.items()):
        lines.append(" | ".join((path or "(none)", text, " ".join(sorted(flags)))).rstrip(" |"))
    return "\n".join(lines) + "\n"


def recorded(record: str) -> Commands:
    found: Commands = {}
    for line in record.splitlines():
        if line.startswith("#"):
            continue
        path, text, *flags = line.split(" | ")
        found[path.replace("(none)", "")] = (set(flags[0].split()) if flags else set(), text)
    return found


def _has(ours: str, path: str, flag: str = "") -> str:
    text = help_of(ours, path)
    return "has" if text and (not flag or flag in ANY_FLAG.findall(text)) else "lacks"


def rows(old: Commands, new: Commands, ours: str | None) -> list[Row]:
    """`ours` is the command of this project, where it is built."""
    def here(path: str, flag: str = "") -> str:
        return _has(ours, path, flag) if ours else ""
    told = [Row("commands", "new", f"`{path}`", here(path)) for path in sorted(new.keys() - old.keys())]
    told += [Row("commands", "gone", f"`{path}`") for path in sorted(old.keys() - new.keys())]
    for path in sorted(old.keys() & new.keys()):
        (flags_before, text_before), (flags_after, text_after) = old[path], new[path]
        told += [Row("flags", "new", f"`{path} --{flag}`", here(path, flag)) for flag in sorted(flags_after - flags_before)]
        told += [Row("flags", "gone", f"`{path} --{flag}`") for flag in sorted(flags_before - flags_after)]
        if text_before != text_after and flags_before == flags_after:
            told.append(Row("commands", "other help", f"`{path or 'without a command'}`"))
    return told


def record(command: str) -> None:
    version = subprocess.run([command, "version"], capture_output=True, text=True, check=True).stdout.strip()
    RECORD.write_text(written(version, commands_of(command)))
    print(f"{RECORD} has the commands of {version}", file=sys.stderr)
