#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each C++ file includes, itself or by way of its own headers, what declares the names that it uses.

Files are compiled in batches, where one that forgets an include finds the names by way of its neighbours: until a batch
is cut elsewhere, or somebody compiles that file alone. This finds most of them by reading, in seconds. It knows what the
headers of this repository declare in their namespaces, and where the standard library and nlohmann_json have the names of
_OUTSIDE. A name that any header in reach so much as mentions counts as known: a member of the same name is no defect.

usage: includes.py FILE...     all .cc and .h files of the repository
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOTS = (Path("cpp"), Path("cpp/include"), Path("tests/cpp"), Path("benchmarks"), Path("python"), Path())
# What is no code: comments, strings with R, strings, characters. Numbers with ' in them come first.
_NO_CODE = re.compile(r"""\d[\d']*|//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
_INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
# What a header declares in its namespace stands at the beginning of a line, as clang-format has it.
_DECLARED = [re.compile(shape, re.MULTILINE) for shape in (
    r"^(?:class|struct|union|enum(?: class)?) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?:\s*:[^;{]*)?\s*\{",
    r"^using (\w+) =",
    r"^(?!#|using |return |namespace )[\w:<>,&*\s\[\]]*?[\s&*]([A-Z]\w*)\(",
    r"^(?:inline |static )*(?:constexpr|const) [\w:<>,&*\s]*?\b(k[A-Z]\w*)\b",
)]
# What a file declares for itself, members included.
_OWN = [re.compile(shape, re.MULTILINE) for shape in (
    r"\b(?:class|struct|union|enum(?: class)?|using|typename|concept) (?:\w+::)*(\w+)\b",
    r"^\s*(?!return |co_return |co_await |throw |new |else )[\w:<>,&*\[\] ()]*[\w>&*] [&*]?([A-Z]\w*)\(",
    r"\b(k[A-Z]\w*)\b(?: = [^,;]+)?[,;\s]*(?=\w|\}|//)",
)]
_CHAIN = re.compile(r"(?<![\w.:])(?<!->)(?:::)?\w+(?:::\w+)*")
_STANDARD = re.compile(r"\bstd::(\w+)")

# Names of std, and the headers any of which declares them by the standard.
_OUTSIDE = {
    "vector": "vector", "map": "map", "multimap": "map", "set": "set", "unordered_map": "unordered_map",
    "unordered_set": "unordered_set", "deque": "deque", "list": "list", "queue": "queue", "priority_queue": "queue",
    "optional": "optional", "nullopt": "optional", "variant": "variant", "visit": "variant", "any": "any", "span": "span",
    "function": "functional", "hash": "functional string string_view", "unique_ptr": "memory", "shared_ptr": "memory",
    "make_unique": "memory", "make_shared": "memory", "thread": "thread", "jthread": "thread", "mutex": "mutex",
    "lock_guard": "mutex", "unique_lock": "mutex shared_mutex", "scoped_lock": "mutex", "shared_mutex": "shared_mutex",
    "condition_variable": "condition_variable", "atomic": "atomic", "chrono": "chrono", "filesystem": "filesystem",
    "ifstream": "fstream", "ofstream": "fstream", "fstream": "fstream", "ostringstream": "sstream", "istringstream": "sstream",
    "stringstream": "sstream", "cout": "iostream", "cerr": "iostream", "regex": "regex", "sort": "algorithm",
    "stable_sort": "algorithm", "find_if": "algorithm", "any_of": "algorithm", "all_of": "algorithm", "none_of": "algorithm",
    "ranges": "algorithm ranges iterator", "accumulate": "numeric", "iota": "numeric", "coroutine_handle": "coroutine",
    "suspend_always": "coroutine", "suspend_never": "coroutine", "to_chars": "charconv", "from_chars": "charconv",
    "numeric_limits": "limits", "exception_ptr": "exception", "current_exception": "exception", "mt19937_64": "random",
    "mt19937": "random", "array": "array", "bitset": "bitset", "source_location": "source_location", "format": "format",
}


@dataclass(frozen=True)
class Source:
    path: Path
    code: str  # without comments and text
    ours: tuple[Path, ...]  # included files of the repository
    outside: frozenset[str]  # other included files

    @property
    def layer(self) -> Path:
        """The folder below cpp/, or as near to it as there is one."""
        return Path(*self.path.parts[:3 if self.path.parts[0] == "tests" else 2]) if len(self.path.parts) > 2 else self.path.parent

    @property
    def namespace(self) -> str:
        found = _NAMESPACE.search(self.code)
        return found[1] if found else ""

    def declares(self) -> set[str]:
        return {name for shape in _DECLARED for name in shape.findall(self.code) if not name[0].islower() or name[0] == "k"}

    def own(self) -> set[str]:
        return self.declares() | {name for shape in _OWN for name in shape.findall(self.code)}

    def uses(self) -> set[tuple[str, str]]:
        """Names that are no members, each after what qualifies it, or nothing."""
        chains = (found.split("::") for found in set(_CHAIN.findall(self.code)))
        return {pair for chain in chains for pair in zip(["", *chain], chain, strict=False)}


class Declared:
    """Which header declares a name in which namespace, and which layers a layer sees."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._by_name: dict[str, list[Source]] = {}
        self._sees: dict[Path, set[Path]] = {}
        for source in sources:
            self._sees.setdefault(source.layer, {source.layer}).update(read(path).layer for path in source.ours)
            for name in source.declares() if source.path.suffix == ".h" else ():
                self._by_name.setdefault(name, []).append(source)

    def meant(self, user: Source, qualifier: str, name: str) -> list[Source]:
        """The headers that may be meant: none if no file of the user's layer includes anything of theirs."""
        def fits(header: Source) -> bool:
            if header.layer not in self._sees[user.layer]:
                return False
            if qualifier:
                return header.namespace.rpartition("::")[2] == qualifier
            return f"{user.namespace}::".startswith(f"{header.namespace}::")
        return [header for header in self._by_name.get(name, ()) if fits(header)]


def main(names: list[str]) -> int:
    sources = [read(Path(name)) for name in names if Path(name).suffix in {".cc", ".h"}]
    declared = Declared(sources)
    found = [complaint for source in sources for complaint in (*ours_missing(source, declared), *others_missing(source))]
    print("\n".join(found) or f"{len(sources)} files include what they use")
    return 1 if found else 0


def ours_missing(source: Source, declared: Declared) -> Iterator[str]:
    known = source.own().union(*(mentioned(path) for path in in_reach(source.path)))
    for qualifier, name in sorted(source.uses()):
        headers = [] if name in known else declared.meant(source, qualifier, name)
        if headers:
            yield f"{source.path}: uses {name} of {headers[0].path}, which neither it nor its headers include"


def others_missing(source: Source) -> Iterator[str]:
    included = source.outside.union(*(read(path).outside for path in in_reach(source.path)))
    for name in sorted(set(_STANDARD.findall(source.code)) & _OUTSIDE.keys()):
        headers = _OUTSIDE[name].split()
        if included.isdisjoint(headers):
            yield f"{source.path}: uses std::{name}, and neither it nor its headers include <{headers[0]}>"


@cache
def read(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    ours, outside = [], set()
    for quote, name in _INCLUDE.findall(text):
        file = found_in_roots(path, name) if quote == '"' else None
        if file:
            ours.append(file)
        else:
            outside.add(name)
    code = _NO_CODE.sub(lambda found: found[0] if found[0][0].isdigit() else '""', text)
    return Source(path, re.sub(r"^\s*#[^\n]*", "", code, flags=re.MULTILINE), tuple(ours), frozenset(outside))


def found_in_roots(user: Path, name: str) -> Path | None:
    return next((root / name for root in (user.parent, *ROOTS) if (root / name).is_file()), None)


@cache
def mentioned(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", read(path).code))


@cache
def in_reach(path: Path) -> frozenset[Path]:
    """All files of ours that it includes, and that those include."""
    found: set[Path] = set()
    waiting = list(read(path).ours)
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += read(other).ours
    return frozenset(found - {path})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
