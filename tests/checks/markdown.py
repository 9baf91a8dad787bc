#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents that hold: links lead somewhere, named files and verbs exist, code blocks are code.

usage: markdown.py FILE...
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r'^(\s*)```(\w*)(?: [\w-]+="[^"]*")*\s*$')
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_SPAN = re.compile(r"`([^`]+)`")
_HEADING = re.compile(r"^#+\s+(.*)$")
_FILE = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+\.(?:cc|h|py|md|sh|yaml|proto|cmake|supp)")
_VERB = re.compile(r"\./dev (\w+)")
# Where the documents leave out the beginning of a path.
_ROOTS = [REPOSITORY, REPOSITORY / "cpp", REPOSITORY / "cpp" / "include", REPOSITORY / "tests",
          REPOSITORY / "tests" / "py"]
# Pages of the site that docs/site/generate.py writes.
_GENERATED = {REPOSITORY / "docs" / "reference" / name for name in ("commands.md", "exit-codes.md")}
# Made by a build, or by the user who reads the document.
_NOT_HERE = re.compile(r"build/|\.pulumi/|path/to/")


def blocks_and_lines(text: str) -> Iterator[tuple[int, str | None, str]]:
    """(line number, language of a code block or None, the block or the line); indented blocks are text."""
    lines, number = text.split("\n"), 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if not fence:
            yield number + 1, None, lines[number]
            number += 1
            continue
        end = next((i for i in range(number + 1, len(lines)) if lines[i].strip() == "```"), None)
        if end is None:
            yield number + 1, "open", ""
            return
        inside = [line.removeprefix(fence[1]) for line in lines[number + 1:end]]
        yield number + 1, fence[2] or "text", "\n".join(inside) + "\n"
        number = end + 1


def wrong_with_code(language: str, code: str) -> str | None:
    try:
        if language == "python":
            ast.parse(code)
        elif language == "json":
            json.loads(code)
        elif language in ("yaml", "yml"):
            list(yaml.safe_load_all(code))
        elif language in ("sh", "bash"):
            done = subprocess.run(["bash", "-n"], input=code, text=True, capture_output=True, check=False)
            return done.stderr.strip() or None
        elif language == "open":
            return "the code block has no end"
    except (SyntaxError, ValueError, yaml.YAMLError) as error:
        return f"not {language}: {error}"
    return None


def anchors(file: Path) -> set[str]:
    """The names under which headings can be linked to."""
    found = set()
    for _, language, line in blocks_and_lines(file.read_text()):
        heading = _HEADING.match(line) if language is None else None
        if heading:
            plain = re.sub(r"[^\w\- ]", "", heading[1].replace("`", "").lower())
            found.add(plain.replace(" ", "-"))
    return found


def wrong_with_link(file: Path, target: str) -> str | None:
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    found = (file.parent / path).resolve() if path else file
    if found in _GENERATED:
        return None
    if not found.exists():
        return f"the link {target} leads nowhere"
    if anchor and found.suffix == ".md" and anchor not in anchors(found):
        return f"{found.name} has no heading for #{anchor}"
    return None


def wrong_with_span(file: Path, span: str) -> str | None:
    if not _FILE.fullmatch(span) or _NOT_HERE.match(span):
        return None
    if any(any(root.glob(span)) for root in (*_ROOTS, file.parent)):
        return None
    return f"there is no file {span}"


def complaints(file: Path, verbs: set[str]) -> Iterator[str]:
    for number, language, text in blocks_and_lines(file.read_text()):
        wrong = [f"there is no ./dev {verb}" for verb in _VERB.findall(text) if verb not in verbs]
        if language is not None:
            wrong.append(wrong_with_code(language, text))
        else:
            wrong += [wrong_with_link(file, target) for target in _LINK.findall(_SPAN.sub("", text))]
            wrong += [wrong_with_link(file, target) for target in _LINK.findall(text) if "`" in text]
            wrong += [wrong_with_span(file, span) for span in _SPAN.findall(text)]
        for what in dict.fromkeys(filter(None, wrong)):
            yield f"{file}:{number}: {what}"


def dev_verbs() -> set[str]:
    """Those that ./dev knows; each of them must be in its help."""
    text = (REPOSITORY / "dev").read_text()
    cases = text[text.rindex("\ncase $verb in"):]
    return set(re.findall(r"^  ([a-z]+)\)", cases, flags=re.MULTILINE)) | {"help"}


def verbs_without_help(verbs: set[str]) -> list[str]:
    shown = subprocess.run(["./dev", "help"], cwd=REPOSITORY, text=True, capture_output=True, check=True).stdout
    return [f"dev: help says nothing of {verb}" for verb in sorted(verbs)
            if not re.search(rf"^  {verb}\b", shown, flags=re.MULTILINE)]


if __name__ == "__main__":
    known = dev_verbs()
    found = verbs_without_help(known) + [text for name in sys.argv[1:] for text in complaints(Path(name), known)]
    print("\n".join(found))
    sys.exit(1 if found else 0)
