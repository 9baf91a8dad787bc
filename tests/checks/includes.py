#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each C++ file includes, itself or by way of its own headers, what declares the names that it uses.

Files are compiled in batches, where one that forgets an include finds the names by way of its neighbours. It fails when
a batch is cut elsewhere, or when the file is compiled alone. This finds most of them by reading, in seconds. It knows
what the headers of this repository declare in their namespaces, and where the standard libraries of C++ and C have the
names of _OUTSIDE. A name that any header in reach so much as mentions counts as known: a member of the same name is no
defect.

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
# The parts that are not code: comments, strings with R, strings, characters. Numbers with ' in them come first.
_NO_CODE = re.compile(r"""\d[\d']*|//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
_INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
# A declaration in a header's namespace begins at the beginning of a line, as clang-format writes it.
_DECLARED = [re.compile(shape, re.MULTILINE) for shape in (
    r"^(?:class|struct|union|enum(?: class)?) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?:\s*:[^;{]*)?\s*\{",
    r"^using (\w+) =",
    r"^(?!using |namespace )\w[\w:<>,&* \[\]()]*[ &*]([A-Z]\w*)\(",
    r"^(?:inline |static |extern )*(?:constexpr|const) [\w:<>,&* ]*\b(k[A-Z]\w*)\b",
)]
# The file's own declarations, members included.
_OWN = [re.compile(shape, re.MULTILINE) for shape in (
    r"\b(?:class|struct|union|enum(?: class)?|using|typename|concept) (?:\w+::)*(\w+)\b",
    r"^ *(?!return |co_return |co_await |throw |new |else )[\w:<>,&*\[\] ()]*[\w>&*] [&*]?([A-Z]\w*)\(",
    r"\b(k[A-Z]\w*)\b(?: = [^,;]+)?[,;\s]*(?=\w|\}|//)",
)]
_CHAIN = re.compile(r"(?<![\w.:])(?<!->)(?:::)?\w+(?:::\w+)*")
_STANDARD = re.compile(r"\bstd::(\w+)")

# Headers of which one must be included by who uses the names after them; the first is the one to advise.
_HEADERS = {
    "vector": "vector", "map": "map multimap", "set": "set", "unordered_map": "unordered_map", "deque": "deque", "list": "list",
    "unordered_set": "unordered_set", "queue": "queue priority_queue", "optional": "optional nullopt",
    "variant": "variant visit holds_alternative", "any": "any", "span": "span", "functional": "function",
    "memory": "unique_ptr shared_ptr make_unique make_shared weak_ptr", "thread": "thread jthread", "mutex": "mutex lock_guard scoped_lock",
    "mutex shared_mutex": "unique_lock", "shared_mutex": "shared_mutex", "condition_variable": "condition_variable",
    "atomic": "atomic", "chrono": "chrono", "filesystem": "filesystem", "fstream": "ifstream ofstream fstream",
    "sstream": "ostringstream istringstream stringstream", "iostream": "cout cerr", "regex": "regex", "numeric": "accumulate iota",
    "algorithm": "sort stable_sort find_if any_of all_of none_of", "coroutine": "coroutine_handle suspend_always suspend_never",
    "charconv": "to_chars from_chars", "limits": "numeric_limits", "exception": "exception_ptr current_exception",
    "random": "mt19937 mt19937_64", "source_location": "source_location", "cmath": "isnan isfinite isinf floor trunc fabs pow",
    "array": "array", "bitset": "bitset",
}
_C_HEADERS = {
    "cstring string.h": "memcpy memcmp memset memchr strlen strerror", "cctype": "isdigit isalpha isalnum isspace tolower toupper",
    "cstdlib stdlib.h": "getenv setenv abort strtol strtoul strtod malloc", "cerrno errno.h": "errno",
    "cstdio stdio.h": "snprintf fprintf fopen fflush", "sys/stat.h": "fstat lstat fchmod S_ISREG S_ISDIR", "fcntl.h": "openat O_CLOEXEC",
    "unistd.h": "getpid getuid fsync unlink STDERR_FILENO STDOUT_FILENO", "csignal signal.h": "sigaction SIGTERM SIGKILL",
    "sys/wait.h": "waitpid WIFEXITED", "sys/socket.h": "socketpair AF_UNIX", "poll.h": "pollfd POLLIN",
}
_OUTSIDE = {f"std::{name}": headers for headers, names in _HEADERS.items() for name in names.split()}
_OUTSIDE |= {name: headers for headers, names in _C_HEADERS.items() for name in names.split()}


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
    reach = in_reach(source.path)
    own, known = source.own(), frozenset().union(*map(mentioned, reach))
    for qualifier, name in sorted(source.uses()):
        if name in own or (name in known and not qualifier):
            continue
        headers = declared.meant(source, qualifier, name)
        if headers and not any(qualifier in mentioned(path) and name in mentioned(path) for path in reach):
            yield f"{source.path}: uses {name} of {headers[0].path}, which neither it nor its headers include"


def others_missing(source: Source) -> Iterator[str]:
    included = source.outside.union(*(read(path).outside for path in in_reach(source.path)))
    names = {f"std::{name}" for name in _STANDARD.findall(source.code)} | {name for _, name in source.uses()}
    for name in sorted(names & _OUTSIDE.keys()):
        headers = _OUTSIDE[name].split()
        if included.isdisjoint(headers):
            yield f"{source.path}: uses {name}, and neither it nor its headers include <{headers[0]}>"


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
