# SPDX-License-Identifier: Apache-2.0
"""Small defects for lines of C++: each operator names one way in which a line may be wrong.

    mutants_of("  if (a < b) return x;")
    →  "  if (a <= b) return x;", "  if (false) return x;", "  if (true) return x;", ...

A line is what the formatter leaves: one statement, or the head of one. Comments, strings, includes and assertions are left
alone. What does not compile is found out by compiling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SWAPS = [
    (r"==", "!="), (r"!=", "=="), (r"<=", "<"), (r">=", ">"),
    (r" < ", " <= "), (r" > ", " >= "),  # with blanks: not the brackets of templates
    (r"&&", "||"), (r"\|\|", "&&"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r" \+ 1\b", " + 2"), (r" - 1\b", " - 2"), (r"\b0\b", "1"), (r"\b1\b", "0"),
    (r" \+ ", " - "), (r" \+= ", " -= "),
    (r"\bbreak;", "continue;"), (r"\bcontinue;", "break;"),
    (r"\.begin\(\)", ".end()"), (r"\.rbegin\(\)", ".begin()"), (r"\.front\(\)", ".back()"), (r"\.back\(\)", ".front()"),
    (r"(?<=[(\s])!(?=[\w(*])", ""),
]
_IF = re.compile(r"^(\s*(?:\} else )?if \()(.*)(\) (?:return|continue|break|\{|\w).*)$")
_ALONE = re.compile(r"^\s*(?:[\w.\->\[\]()*:]+\(.*\)|[\w.\->\[\]]+ [-+|&]?= .*|(?:\+\+|--)[\w.\->]+|[\w.\->]+(?:\+\+|--)"
                    r"|return\b.*|if \(.*\) .*);$")
_DECLARATION = re.compile(r"^\s*(?:const |static |auto |using |typedef |std::\w+(?:<.*>)? \w+[ ({;=])")
_SKIPPED = re.compile(r"^\s*(?:#|//|\*|KP_ASSERT|static_assert|namespace|using|template|case |default:|\}|public:|private:|$)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|//.*$')


@dataclass(frozen=True)
class Mutant:
    what: str  # the operator, in words
    line: str  # the line as it becomes


def mutants_of(line: str) -> list[Mutant]:
    """Every mutant of one line; none of a line that has no behaviour of its own."""
    if _SKIPPED.match(line) or "KP_ASSERT" in line:
        return []
    found = [Mutant(f"{was.group()} → {now or 'nothing'}".strip(), line[:was.start()] + now + line[was.end():])
             for pattern, now in _SWAPS for was in re.finditer(pattern, _blanked(line))
             if not ('"' in line and now in (" - ", " -= "))]  # texts cannot be subtracted
    condition = _IF.match(line)
    if condition:
        for always in ("true", "false"):
            found.append(Mutant(f"condition → {always}", f"{condition[1]}{always}{condition[3]}"))
    if _ALONE.match(line) and not _DECLARATION.match(line):
        found.append(Mutant("left out", re.match(r"\s*", line).group() + ";"))
    return [mutant for mutant in found if mutant.line != line]


def _blanked(line: str) -> str:
    """The line with strings and comments filled in, so that nothing is found in them; of the same length."""
    return _STRING.sub(lambda text: "§" * len(text.group()), line)
