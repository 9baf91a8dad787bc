#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sentences that docs/style-of-words.md forbids, in comments, texts of the command, docstrings and documents.

usage: words.py FILE...            the check: no room has more of them than tests/checks/words_ceiling.txt allows
       words.py --list FILE...     prints each sentence with its place and the rule that it breaks
       words.py --record FILE...   lowers the ceilings to the present counts; with --raise it raises them as well

The check reads only the given files and the ceilings. A room may exceed its ceiling by a few sentences, so that
branches can be merged one after the other.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
CEILING = REPOSITORY / "tests" / "checks" / "words_ceiling.txt"
WORDS_MAX = 30
GROWTH_MIN, GROWTH_SHARE = 10, 0.1  # by which a room may exceed its ceiling

# The comments of these files hold the text of others, or quote what the style forbids.
_LEFT_OUT = re.compile(r"^(docs/style-of-words\.md|proto/|tests/data/|tests/checks/(test_)?words\.py)")
_RIDDLES = {name: re.compile(pattern, re.I) for name, pattern in {
    "names no actor": r"\b(nobody knows|that nobody|of nobody|somebody|whoever)\b",
    "is told": r"\b(is|are|was|were|be) told (of|about|that|what|which|by)\b",
    "riddle": r"\b(put right|does not mind|do not mind|what comes of it|what came of it|for what it is|"
              r"(what|as) the \w+ is (large|long)|not \w+ first any more|knows? of no)\b",
}.items()}


@dataclass(frozen=True)
class Sentence:
    line: int
    text: str
    opens: bool  # the first one of its comment, text or paragraph
    document: bool = False


# ---- sentences of a text ------------------------------------------------------------------------

_END = re.compile(r"(?<=[.!?])[)\"']?\s+(?=[A-Z`\"'(*_\[])")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|cf|[A-Z])\.$")


def sentences(text: str, line: int, document: bool = False) -> Iterator[Sentence]:
    pieces: list[str] = []
    for piece in _END.split(re.sub(r"\s+", " ", text).strip()):
        if pieces and _ABBREVIATION.search(pieces[-1]):
            pieces[-1] += " " + piece
        else:
            pieces.append(piece)
    for number, piece in enumerate(pieces):
        if piece:
            yield Sentence(line, piece, number == 0, document)


def words_in(text: str) -> int:
    """Code between backticks and a quotation count as one word each."""
    plain = re.sub(r"`[^`]*`|\"[^\"]*\"|\]\([^)]*\)|https?://\S+", " code ", text)
    return sum(1 for word in plain.split() if re.search(r"\w", word))


# ---- sentences of files -------------------------------------------------------------------------

_CPP = re.compile(r'R"(\w*)\(.*?\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'|//([^\n]*)|/\*.*?\*/', re.S)
_DRAWING = re.compile(r"^ {3,}|\S {3,}\S|[─│┌└├→]|-->|\+--|^\s*\|")  # and tables
_FIELD = re.compile(r"^\s*[\w*]+(?:, [\w*]+)*:\s+\S", re.M)  # a line of a docstring that explains arguments or members


def of_cpp(text: str, with_literals: bool) -> Iterator[Sentence]:
    comment: list[str] = []
    literal: list[str] = []
    began = comment_line = literal_line = last = 0
    number, at = 1, 0
    for match in _CPP.finditer(text):
        between = text[at:match.start()]
        number += between.count("\n")
        if literal and (between.strip() or match[2] is None):
            yield from _of_literal(literal, literal_line, with_literals)
            literal = []
        if match[3] is not None:
            is_line = not text[text.rfind("\n", 0, match.start()) + 1:match.start()].strip()
            line = match[3]
            goes_on = bool(comment) and is_line and number == last + 1 and bool(line.strip())
            if comment and not goes_on:
                yield from sentences(" ".join(comment), comment_line)
                comment = []
            if line.strip() and not _DRAWING.search(line.removeprefix(" ")) and not line.startswith(" SPDX"):
                if not comment:
                    comment_line = number
                comment.append(line.strip("/ "))
            elif comment:
                yield from sentences(" ".join(comment), comment_line)
                comment = []
            last = number if is_line else 0
        elif match[2] is not None:
            if not literal:
                literal_line = number
            literal.append(match[2])
        began = match.end()
        number += match[0].count("\n")
        at = began
    yield from sentences(" ".join(comment), comment_line)
    yield from _of_literal(literal, literal_line, with_literals)


def _of_literal(pieces: list[str], line: int, wanted: bool) -> Iterator[Sentence]:
    text = "".join(pieces).replace("\\n", " ").replace('\\"', "'")
    if wanted and len(text.split()) >= 5:
        yield from sentences(text, line)


def of_python(text: str) -> Iterator[Sentence]:
    block: list[str] = []
    began = last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or token.string.startswith(("#!", "# SPDX", "# type:", "# noqa", "# pyright:")):
            continue
        own_line = not token.line[:token.start[1]].strip()
        if own_line and _DRAWING.search(re.sub(r"^#:? ?", "", token.string)):
            continue
        if block and (not own_line or token.start[0] != last + 1):
            yield from sentences(" ".join(block), began)
            block = []
        if not block:
            began = token.start[0]
        block.append(token.string.strip("# "))
        last = token.start[0] if own_line else -1
    yield from sentences(" ".join(block), began)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and (said := ast.get_docstring(node)):
            for paragraph in re.split(r"\n\s*\n", said):
                if re.search(r"^(usage:|>>>| {4,}\S|\w+ = \w+\(|\w+\.\w+\(.*\))", paragraph, re.M):
                    continue
                fields = re.split(r"\n(?=[\w*]+(?:, [\w*]+)*:\s)", paragraph) if len(_FIELD.findall(paragraph)) > 1 else [paragraph]
                for text in fields:
                    yield from sentences(text, node.body[0].lineno)


_BLOCK_START = re.compile(r"^\s*([-*]|\d+\.|>|\|)\s*")


def of_markdown(text: str) -> Iterator[Sentence]:
    block: list[str] = []
    began, fenced = 0, False

    def flush() -> Iterator[Sentence]:
        yield from sentences(" ".join(block), began, document=True)
        block.clear()

    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            yield from flush()
            fenced = not fenced
        elif fenced or line.startswith(("#", "    ", "<", "===", "!!!", "---")) or not line.strip():
            yield from flush()
        elif line.startswith("|"):
            yield from flush()
            for cell in re.split(r"(?<!\\)\|", line.strip("| ")):
                yield from sentences(cell, number, document=True)
        else:
            if _BLOCK_START.match(line):
                yield from flush()
            if not block:
                began = number
            block.append(_BLOCK_START.sub("", line) if not block else line.strip())
    yield from flush()


def of_file(name: str, text: str) -> Iterator[Sentence]:
    suffix = Path(name).suffix
    if suffix in (".cc", ".h"):
        yield from of_cpp(text, with_literals=not name.startswith("tests/"))
    elif suffix in (".py", ".pyi"):
        yield from of_python(text)
    elif suffix == ".md":
        yield from of_markdown(text)


# ---- the rules ----------------------------------------------------------------------------------

def wrong_with(sentence: Sentence) -> str | None:
    text = sentence.text.lstrip("*_(`\"'")
    if (sentence.opens or sentence.document) and not sentence.text.rstrip("*_)`\"'").endswith("?"):
        if re.match(r"Of\s", text):
            return 'begins with "Of"'
        if begins := re.match(r"(What|Who)\s", text):
            return f'begins with "{begins[1]}"'
    if (count := words_in(sentence.text)) > WORDS_MAX:
        return f"{count} words"
    for rule, pattern in _RIDDLES.items():
        if pattern.search(sentence.text):
            return rule
    return None


def found_in(name: str) -> list[tuple[Sentence, str]]:
    try:
        read = list(of_file(name, (REPOSITORY / name).read_text(errors="replace")))
    except (SyntaxError, tokenize.TokenError):
        return []  # another check tells
    return [(sentence, rule) for sentence in read if (rule := wrong_with(sentence))]


def room_of(name: str) -> str:
    """cpp/engine, tests/py, python/kingpost and so on; a file of the root is a room of its own."""
    parts = name.split("/")
    deep = parts[0] in ("cpp", "tests", "python") and len(parts) > 2
    return "/".join(parts[:2]) if deep else parts[0]


# ---- the ceilings -------------------------------------------------------------------------------

_HEAD = """\
# How many sentences of each room break docs/style-of-words.md: these numbers may only fall.
# `./dev words --record` writes them anew.
"""


def ceilings() -> dict[str, int]:
    lines = CEILING.read_text().split("\n") if CEILING.is_file() else []
    return {room: int(count) for room, count in (line.split() for line in lines if line and line[0] != "#")}


def allowed(ceiling: int) -> int:
    return ceiling + max(GROWTH_MIN, int(ceiling * GROWTH_SHARE))


def record(counts: Counter[str], rooms: set[str], may_rise: bool) -> None:
    before = ceilings()
    after = {room: counts[room] if may_rise else min(counts[room], before.get(room, counts[room])) for room in rooms}
    CEILING.write_text(_HEAD + "".join(f"{room} {after[room]}\n" for room in sorted(after)))
    print(f"{sum(counts.values())} sentences; {CEILING.relative_to(REPOSITORY)} is written: commit it")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--raise", action="store_true", dest="may_rise")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args(arguments)
    files = [name for name in given.files if not _LEFT_OUT.match(name)]
    found = {name: found_in(name) for name in files}
    counts: Counter[str] = Counter()
    for name in files:
        counts[room_of(name)] += len(found[name])
    if given.list:
        for name in files:
            for sentence, rule in found[name]:
                print(f"{name}:{sentence.line}: {rule}: {sentence.text}")
        print(f"{sum(counts.values())} sentences")
        return 0
    if given.record:
        record(counts, {room_of(name) for name in files}, given.may_rise)
        return 0
    limits = ceilings()
    over = sorted(room for room in counts if counts[room] > allowed(limits.get(room, 0)))
    for room in over:
        print(f"{room}: {counts[room]} sentences break docs/style-of-words.md, and its ceiling is {limits.get(room, 0)}. "
              f"`./dev words {room}` lists them.")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
