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


def pages() -> list[Path]:
    return sorted(path for path in DOCS.rglob("*.md") if "site" not in path.relative_to(DOCS).parts)


def blocks_of(page: Path) -> list[Block]:
    found: list[Block] = []
    lines = page.read_text().split("\n")
    at, tab, tab_indent, reason = 0, "", 0, ""
    while at < len(lines):
        line = lines[at]
        indent = len(line) - len(line.lstrip())
        if tab and line.strip() and indent <= tab_indent and not _TAB.match(line):
            tab = ""
        if opened := _TAB.match(line):
            tab, tab_indent = opened[2], len(opened[1])
        elif said := _REASON.match(line):
            reason = said[1]
        elif fence := _FENCE.match(line):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            code = textwrap.dedent("\n".join(lines[at + 1:end])) + "\n"
            title = re.search(r'title="([^"]*)"', fence[3])
            found.append(Block(str(page.resolve().relative_to(DOCS)), at + 1, fence[2], code, title[1] if title else "", tab, reason))
            at, reason = end, ""
        elif line.strip():
            reason = ""
        at += 1
    return found


def is_code(block: Block) -> bool:
    return block.language not in _SHOWN


def tabs_of(blocks: list[Block]) -> list[str]:
    return sorted({block.tab for block in blocks if block.tab}) or [""]


# A reader answers questions with yes, and gets packages from registries; here they are linked.
_PRELUDE = """\
set -Eeuo pipefail
trap 'echo "the block of line $block failed" >&2' ERR
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
"""


def script_of(blocks: list[Block], tab: str, python: str, node_modules: str) -> str:
    """Blocks of other tabs, and those that cannot run, are left out; a block with a title is that file."""
    script = [_PRELUDE.format(python=shlex.quote(python), node_modules=shlex.quote(node_modules))]
    for block in blocks:
        if block.reason or block.tab not in ("", tab) or not is_code(block):
            continue
        script.append(f"block={block.line}")
        if block.title:
            script.append(f"cat > {shlex.quote(block.title)} <<'END-OF-BLOCK'\n{block.code}END-OF-BLOCK")
        else:
            assert block.language == "sh", f"{block.page}:{block.line}: a block of {block.language} needs a title, or a reason not to run"
            script.append(block.code)
    return "\n".join(script)
