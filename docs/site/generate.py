#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages and man pages of the reference, out of what the command says of itself.

usage: generate.py COMMAND PAGES MAN     writes PAGES/reference/{commands,exit-codes}.md and MAN/kingpost*.1

The summary, usage, flags and examples of each command are those of its --help; exit codes are those of
cpp/cli/session/exit_code.h. Nothing is written twice.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
COMPATIBILITY = "Accepted for compatibility, without effect"


@dataclass
class Section:
    title: str
    entries: list[tuple[str, str]] = field(default_factory=list)  # flag or argument, what it does


@dataclass
class Help:
    path: str
    summary: str
    usage: str
    sections: list[Section]
    examples: list[tuple[str, str]]  # what it is for, the line


def run(command: str, *args: str) -> str:
    return subprocess.run([command, *args], text=True, capture_output=True, check=True).stdout


def commands(command: str) -> list[str]:
    listing = run(command, "--help").partition("Commands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+(?: \S+)*)  +\S", listing, re.MULTILINE)


def parsed(path: str, text: str) -> Help:
    body, _, examples = text.partition("\nExamples:\n")
    lines = body.split("\n")
    usage = next(i for i, line in enumerate(lines) if line.startswith("Usage: "))
    sections: list[Section] = []
    for line in lines[usage + 1:]:
        if line.endswith(":") and not line.startswith(" "):
            sections.append(Section(line[:-1]))
        elif entry := re.match(r"^  (\S.*?)(?:  +(.*))?$", line):
            sections[-1].entries.append((entry[1], entry[2] or ""))
        elif line.strip():  # what goes on from a flag that is too long for its column
            name, says = sections[-1].entries.pop()
            sections[-1].entries.append((name, f"{says} {line.strip()}".strip()))
    shown = re.findall(r"^  # (.*)\n  (kingpost .*)$", examples, re.MULTILINE)
    return Help(path, " ".join(lines[:usage]).strip(), lines[usage].removeprefix("Usage: "), sections, shown)


# ---- Markdown ----------------------------------------------------------------------------------

def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def page_of(helps: list[Help], shared: Section, ignored: list[str]) -> str:
    page = ["# Commands", "", "Each command shows this with `--help`. The global flags are at the end.", ""]
    for item in helps:
        page += [f"## {item.path}", "", item.summary + ".", "", "```text", item.usage, "```", ""]
        for section in item.sections:
            page += [f"**{section.title}**", "", "| | |", "|---|---|"]
            page += [f"| `{cell(name)}` | {cell(says)} |" for name, says in section.entries] + [""]
        if item.examples:
            page += ["```sh"]
            for says, line in item.examples:
                page += [f"# {says}", line]
            page += ["```", ""]
    page += ["## Global flags", "", "| | |", "|---|---|"]
    page += [f"| `{cell(name)}` | {cell(says)} |" for name, says in shared.entries]
    page += ["", "Accepted for compatibility, without effect: " + ", ".join(f"`{name}`" for name in ignored) + ".", ""]
    return "\n".join(page)


def exit_codes() -> list[tuple[str, str, str]]:
    """(number, name, meaning), from the enumeration that the command uses."""
    source = (REPOSITORY / "cpp" / "cli" / "session" / "exit_code.h").read_text()
    entries = re.findall(r"^  k(\w+) = (\d+),?(?:\s*// (.*))?$", source, re.MULTILINE)
    return [(number, re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower(), says) for name, number, says in entries]


def exit_page() -> str:
    rows = [f"| {number} | {name} | {cell(says)} |" for number, name, says in exit_codes()]
    return "\n".join(["# Exit codes", "", "| status | name | means |", "|---|---|---|", *rows, ""])


# ---- man ---------------------------------------------------------------------------------------

def roff(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("\n.", "\n\\&.")


def man_of(item: Help, shared: Section, version: str) -> str:
    name = "kingpost-" + item.path.replace(" ", "-")
    out = [f'.TH "{name.upper()}" 1 "" "kingpost {version}"', ".SH NAME", f"{roff(name)} \\- {roff(item.summary)}",
           ".SH SYNOPSIS", ".B " + roff(item.usage)]
    for section in [*item.sections, shared]:
        out += [f'.SH "{roff(section.title.upper())}"']
        for flag, says in section.entries:
            out += [".TP", ".B " + roff(flag), roff(says) or "\\&"]
    if item.examples:
        out += [".SH EXAMPLES"]
        for says, line in item.examples:
            out += [".PP", roff(says) + ":", ".PP", ".nf", ".RS", roff(line), ".RE", ".fi"]
    out += [".SH EXIT STATUS"]
    for number, meaning, says in exit_codes():
        out += [".TP", ".B " + number, roff(f"{meaning}; {says}" if says else meaning)]
    return "\n".join([*out, ".SH SEE ALSO", ".BR kingpost (1)", ""])


def overview_of(helps: list[Help], shared: Section, version: str) -> str:
    out = [f'.TH "KINGPOST" 1 "" "kingpost {version}"', ".SH NAME", "kingpost \\- deploy what a program describes",
           ".SH SYNOPSIS", ".B kingpost", ".I COMMAND", "[flags]", ".SH COMMANDS"]
    for item in helps:
        out += [".TP", f".BR kingpost\\-{roff(item.path.replace(' ', '-'))} (1)", roff(item.summary)]
    out += [f'.SH "{roff(shared.title.upper())}"']
    for flag, says in shared.entries:
        out += [".TP", ".B " + roff(flag), roff(says) or "\\&"]
    return "\n".join([*out, ""])


def main(command: str, pages: Path, man: Path) -> None:
    version = run(command, "version", "--long").split()[-1]
    helps = [parsed(path, run(command, *path.split(), "--help")) for path in commands(command)]
    shared = next(section for section in helps[0].sections if section.title == "Global flags")
    global_ignored = {name for item in helps for s in item.sections if s.title == COMPATIBILITY for name, _ in s.entries}
    for item in helps:
        item.sections = [s for s in item.sections if s.entries and s.title not in ("Global flags", COMPATIBILITY)]
    (pages / "reference").mkdir(parents=True, exist_ok=True)
    man.mkdir(parents=True, exist_ok=True)
    (pages / "reference" / "commands.md").write_text(page_of(helps, shared, sorted(global_ignored)))
    (pages / "reference" / "exit-codes.md").write_text(exit_page())
    (man / "kingpost.1").write_text(overview_of(helps, shared, version))
    for item in helps:
        (man / f"kingpost-{item.path.replace(' ', '-')}.1").write_text(man_of(item, shared, version))
    print(f"{len(helps)} commands")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
