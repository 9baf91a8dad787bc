# SPDX-License-Identifier: Apache-2.0
"""The blocks of code of the documents, and a page as a shell script that does what a reader would do."""

from __future__ import annotations

import re
import shlex
import textwrap
from dataclasses import dataclass
from pathlib import Path

from .commands import REPOSITORY

DOCS = REPOSITORY / "docs"
_FENCE = re.compile(r'^(\s*)```(\w*)((?: [\w-]+="[^"]*")*)\s*$')
_TAB = re.compile(r'^(\s*)=== "(.+)"$')
_REASON = re.compile(r"^\s*<!-- not run: (.+) -->$")
_PRINTED = re.compile(r"^\s*<!-- prints: (.+) -->$")
_WRITTEN = re.compile(r"^\s*<!-- written by the command -->$")
_SHOWN = {"text", "", "mermaid"}  # what a command prints, and drawings


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    language: str
    code: str
    title: str = ""
    tab: str = ""  # "" outside of tabs
    reason: str = ""  # why it is not run
    printed: tuple[str, ...] = ()  # texts that its output contains
    written: bool = False  # a file that a command of the page has written: it has this text already


def pages() -> list[Path]:
    return sorted(path for path in DOCS.rglob("*.md") if "site" not in path.relative_to(DOCS).parts)


def blocks_of(page: Path) -> list[Block]:
    return blocks_in(page.read_text(), str(page.resolve().relative_to(DOCS)))


def blocks_in(text: str, page: str) -> list[Block]:
    found: list[Block] = []
    lines = text.split("\n")
    at, tab, tab_indent, reason, printed, written = 0, "", 0, "", (), False
    while at < len(lines):
        line = lines[at]
        indent = len(line) - len(line.lstrip())
        if tab and line.strip() and indent <= tab_indent and not _TAB.match(line):
            tab = ""
        if opened := _TAB.match(line):
            tab, tab_indent = opened[2], len(opened[1])
        elif said := _REASON.match(line):
            reason = said[1]
        elif said := _PRINTED.match(line):
            printed += (said[1],)
        elif _WRITTEN.match(line):
            written = True
        elif fence := _FENCE.match(line):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            code = textwrap.dedent("\n".join(lines[at + 1:end])) + "\n"
            title = re.search(r'title="([^"]*)"', fence[3])
            found.append(Block(page, at + 1, fence[2], code, title[1] if title else "", tab, reason, printed,
                               written))
            at, reason, printed, written = end, "", (), False
        elif line.strip():
            reason, printed, written = "", (), False
        at += 1
    return found


def is_code(block: Block) -> bool:
    return block.language not in _SHOWN


def tabs_of(blocks: list[Block]) -> list[str]:
    return sorted({block.tab for block in blocks if block.tab}) or [""]


# A reader answers questions with yes, and gets packages from registries; here they are linked.
_PRELUDE = """\
set -Eeuo pipefail
output=$(mktemp)
trap 'cat "$output"; echo "the block of line $block failed" >&2' ERR
kingpost() {{
  case "$1" in
    up | destroy | refresh | import)
      case " $* " in *" --preview-only "*) command kingpost "$@" ;; *) command kingpost "$@" --yes ;; esac ;;
    stack)
      case "${{2-}}" in rm | rollback) command kingpost "$@" --yes ;; *) command kingpost "$@" ;; esac ;;
    new) shift; command kingpost new "$@" --generate-only; link_packages; command kingpost stack init dev ;;
    *) command kingpost "$@" ;;
  esac
}}
link_packages() {{
  [ ! -f requirements.txt ] || {{ mkdir -p venv/bin; printf '#!/bin/sh\\nexec {python} "$@"\\n' > venv/bin/python; chmod +x venv/bin/python; }}
  [ ! -f package.json ] || ln -s {node_modules} node_modules
}}
output_has() {{
  grep -qF -- "$1" "$output" || {{ echo "the block of line $block did not print: $1" >&2; exit 1; }}
}}
"""


def script_of(blocks: list[Block], tab: str, python: str, node_modules: str) -> str:
    """Blocks of other tabs, and those that cannot run, are left out; a block with a title is that file. A comment above a block
    says what is checked beside its exit code: `prints: TEXT`, once for each text, or `written by the command` of a file."""
    script = [_PRELUDE.format(python=shlex.quote(python), node_modules=shlex.quote(node_modules))]
    for block in blocks:
        if block.reason or block.tab not in ("", tab) or not is_code(block):
            continue
        script.append(f"block={block.line}")
        if block.title:
            goes = "diff -u {} - >&2" if block.written else "cat > {}"
            script.append(f"{goes.format(shlex.quote(block.title))} <<'END-OF-BLOCK'\n{block.code}END-OF-BLOCK")
        else:
            assert block.language == "sh", f"{block.page}:{block.line}: a block of {block.language} needs a title, or a reason not to run"
            script.append(f'{{\n{block.code}}} > "$output"\ncat "$output"' if block.printed else block.code)
            script += [f"output_has {shlex.quote(text)}" for text in block.printed]
    return "\n".join(script)
