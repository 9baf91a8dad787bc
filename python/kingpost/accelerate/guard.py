# SPDX-License-Identifier: Apache-2.0
"""Which functions of the installed SDK are known to us, word for word.

A measure replaces functions of the SDK by quicker ones that do the same. Their equality has been shown for certain
texts of those functions and for no other. So each measure lists the hashes of the texts it knows, and is left out where
one differs. A hash is taken of a function's source alone, not of its file or of bytecode. So it stays the same through
releases that do not touch the function, and under every version of Python. """

from __future__ import annotations

import dis
import hashlib
import importlib
import linecache
import types
from typing import Any, Iterator, Mapping, Optional, Tuple

# "module:qualified.name" of a function to the hashes of its known texts.
Known = Mapping[str, Tuple[str, ...]]


def first_unknown(known: Known) -> Optional[str]:
    """The first function whose text is not among the known ones, with its hash; None if all are known."""
    for name, hashes in known.items():
        found = hash_of(name)
        if found not in hashes:
            return f"{name} ({found or 'not there'})"
    return None


def hash_of(name: str) -> Optional[str]:
    """The hash of a function's source; None if the SDK has no such function or its source cannot be read."""
    function = _find(name)
    if isinstance(function, property):
        function = function.fget
    # A cached function carries the one that it wraps.
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return hash_of_code(code) if isinstance(code, types.CodeType) else None


def hash_of_code(code: types.CodeType) -> Optional[str]:
    """The same of a function within another."""
    text = _source(code)
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text is not None else None


def _find(name: str) -> Any:
    module, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def _source(code: types.CodeType) -> Optional[str]:
    """From the first decorator to the last line that is indented deeper than `def`. (inspect.getsource tokenizes, which
    takes a hundred times as long.)"""
    lines = linecache.getlines(code.co_filename)
    first = code.co_firstlineno - 1
    if not 0 <= first < len(lines):
        return None
    margin = _indent(lines[first])
    last, defined = first, False
    for number in range(first, len(lines)):
        line = lines[number]
        if defined and line.strip() and _indent(line) <= margin and line.lstrip()[0] not in ")]}":
            break
        defined = defined or line.lstrip().startswith(("def ", "async def ", "class "))
        if line.strip():
            last = number
    # Text that we cut too short would not be guarded: a string may go on at the margin.
    if max(_line_numbers(code)) > last + 1:
        return None
    return "".join(line.rstrip() + "\n" for line in lines[first : last + 1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _line_numbers(code: types.CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    for _, line in dis.findlinestarts(code):
        if line is not None:  # 3.13 has instructions that belong to no line
            yield line
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _line_numbers(constant)
