# SPDX-License-Identifier: Apache-2.0
"""Lines "name, name: what it is" of docstrings, as lists of the site's reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

_FIELD = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*):\s+(\S.*)$")


def with_lists(docstring: str) -> str:
    """Where a paragraph has two such lines or more; a line that goes on is indented."""
    paragraphs: list[str] = []
    for paragraph in re.split(r"\n\s*\n", docstring):
        lines = paragraph.split("\n")
        if sum(1 for line in lines if _FIELD.match(line)) < 2:
            paragraphs.append(paragraph)
            continue
        listed: list[str] = []
        for line in lines:
            if field := _FIELD.match(line):
                listed.append("- " + ", ".join(f"`{name}`" for name in field[1].split(", ")) + ": " + field[2])
            else:
                listed.append("  " + line.strip())
        paragraphs.append("\n".join(listed))
    return "\n\n".join(paragraphs)


class Fields(griffe.Extension):
    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = with_lists(obj.docstring.value)
