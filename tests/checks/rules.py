#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every rule that is cited by number stands on the page of rules, and what the page names is there.

usage: rules.py PAGE [FILE...]     citations are looked for in the files
       rules.py PAGE --write       titles and scenarios of the page become those of tests/scenarios
       rules.py PAGE --count       how many rules are decided in one file of cpp/decisions, and where the others are
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
SCENARIOS = REPOSITORY / "tests" / "scenarios"
SOURCES = {".cc", ".h", ".py", ".md", ".yaml"}
WIDTH = 120
# Groups of rules that the engine decides, and how many of them one file of cpp/decisions decides. That may rise.
ENGINE_GROUPS = range(2, 7)
DECIDED_IN_ONE_MIN = 90

_NUMBER = r"(?:\d+|[a-z])\.\d+"
_GAP = r"\s+(?://\s*|#\s*)?"  # a citation may go on in the next line of a comment
_LIST = rf"(?:,{_GAP}(?:and{_GAP})?|{_GAP}(?:and|to|or){_GAP})"
_CITED = re.compile(rf"\b[Rr]ows?{_GAP}({_NUMBER}(?:{_LIST}{_NUMBER})*)")
_CITED_GROUP = re.compile(rf"\bgroups?{_GAP}(\d+(?:{_LIST}\d+)*)")
_OTHERWISE = re.compile(rf"\b[Rr]ules?{_GAP}{_NUMBER}")  # one spelling, so that one search finds all

_ENTRY = re.compile(r"^### (\d+)\.(\d+) (.+)$", re.MULTILINE)
_GROUP = re.compile(r"^## Group (\d+): ", re.MULTILINE)
_DECIDED = re.compile(r"^\* Decided in (.*(?:\n  .*)*)", re.MULTILINE)
_SHOWN = re.compile(r"^\* Shown by (.*(?:\n  .*)*)", re.MULTILINE)
_PLACE = re.compile(r"`([^`]+)`(?:\s*\(((?:`[^`]+`,?\s*)+)\))?")


# That a name is called somewhere does not make it the place: a function with its type or class before it, a type, a value.
_DEFINED = (r"^(?!\s*(?:co_)?(?:return|await|else|throw)\b)[^=(;\n]*[\w>&*] [&*]?{0}\(|^[A-Za-z][^=(;\n]*::{0}\(|"
            r"\b(?:struct|class|enum|using) (?:\w+::)*{0}\b|[\w>&*] {0}(?:\[\])?(?: =|[{{;])")


@dataclass(frozen=True)
class Rule:
    name: str
    shown_by: list[str]  # scenarios, then other tests


def labels() -> dict[Path, str]:
    """The name of each scenario on the page, with its folder where two share it."""
    files = sorted(path for path in SCENARIOS.glob("*/*.yaml"))
    times = Counter(path.stem for path in files)
    return {path: path.stem if times[path.stem] == 1 else f"{path.parent.name}/{path.stem}" for path in files}


def known_rules() -> dict[str, Rule]:
    table = yaml.safe_load((SCENARIOS / "rows.yaml").read_text())
    rules = {number: Rule(row["name"], []) for number, row in table.items()}
    for path, label in labels().items():
        first = re.search(r"^rule: (.*)$", path.read_text(), re.MULTILINE)
        for number in re.findall(_NUMBER, first[1]) if first else []:
            rules.setdefault(number, Rule("", [])).shown_by.append(label)
    for number, row in table.items():
        rules[number].shown_by.extend(filter(None, row.get("elsewhere", "").split(", ")))
    return rules


def entries(page: str) -> dict[str, re.Match[str]]:
    return {f"{found[1]}.{found[2]}": found for found in _ENTRY.finditer(page)}


def text_of(page: str, entry: re.Match[str]) -> str:
    end = re.compile(r"^##", re.MULTILINE).search(page, entry.end())
    return page[entry.end():end.start() if end else len(page)]


def shown_line(names: list[str]) -> str:
    return textwrap.fill("* Shown by " + ", ".join(f"`{name}`" for name in names), WIDTH, subsequent_indent="  ",
                         break_on_hyphens=False, break_long_words=False)


def written(page: str, rules: dict[str, Rule]) -> str:
    for number, entry in reversed(entries(page).items()):
        rule, text = rules.get(number), text_of(page, entry)
        if rule:
            text = _SHOWN.sub(lambda _, rule=rule: shown_line(rule.shown_by), text)
            page = f"{page[:entry.start()]}### {number} {rule.name}{text}{page[entry.end() + len(text_of(page, entry)):]}"
    return page


def homes(page: str) -> dict[str, list[str]]:
    """The files in which each rule of the engine is decided, a header and its source as one."""
    found = {}
    for number, entry in entries(page).items():
        decided = _DECIDED.search(text_of(page, entry))
        if int(entry[1]) in ENGINE_GROUPS and decided:
            files = (place[1] for place in _PLACE.finditer(decided[1]))
            found[number] = sorted({re.sub(r"\.(cc|h)$", "", file) for file in files})
    return found


def decided_in_one(homes_of: dict[str, list[str]]) -> list[str]:
    return [number for number, files in homes_of.items() if len(files) == 1 and files[0].startswith("decisions/")]


def count_text(page: str) -> str:
    homes_of = homes(page)
    one = decided_in_one(homes_of)
    groups = f"{ENGINE_GROUPS[0]} to {ENGINE_GROUPS[-1]}"
    lines = [f"{len(one)} of {len(homes_of)} rules of groups {groups} are decided in one file of decisions/.",
             "The others:"]
    lines += [f"{number}: {', '.join(files)}" for number, files in homes_of.items() if number not in one]
    return "\n".join(lines)


def wrong_places(decided: str) -> Iterator[str]:
    for place in _PLACE.finditer(decided):
        file = REPOSITORY / "cpp" / place[1]
        if not file.is_file():
            yield f"there is no file cpp/{place[1]}"
            continue
        source = file.read_text()
        for function in re.findall(r"`([^`]+)`", place[2] or ""):
            if not re.search(_DEFINED.format(function.split("::")[-1]), source, re.MULTILINE):
                yield f"cpp/{place[1]} does not define {function}"


def wrong_with_entry(text: str, title: str, rule: Rule | None, scenarios: set[str]) -> Iterator[str]:
    decided, shown = _DECIDED.search(text), _SHOWN.search(text)
    places = list(_PLACE.finditer(decided[1])) if decided else []
    if not places:
        yield "says of no file that the rule is decided in it"
    yield from wrong_places(decided[1] if decided else "")
    names = re.findall(r"`([^`]+)`", shown[1]) if shown else []
    if not names:
        yield "names nothing that shows it"
    yield from (f"nothing is called {name}" for name in names
                if name not in scenarios and not ("/" in name and (REPOSITORY / name).exists()))
    if rule and title != rule.name:
        yield f"is called '{rule.name}' in rows.yaml"
    if rule and names != rule.shown_by:
        off = sorted(set(names).symmetric_difference(rule.shown_by))
        yield f"its list is not that of tests/scenarios ({', '.join(off) or 'order'}): run rules.py PAGE --write"


def wrong_with_page(page: str) -> Iterator[str]:
    rules, found, scenarios = known_rules(), entries(page), set(labels().values())
    yield from (f"rule {number} of rows.yaml is missing" for number in rules if number not in found)
    order = [(int(entry[1]), int(entry[2])) for entry in _ENTRY.finditer(page)]
    one = len(decided_in_one(homes(page)))
    if one < DECIDED_IN_ONE_MIN:
        yield (f"{one} rules are decided in one file of decisions/, and there were {DECIDED_IN_ONE_MIN}: "
               "run rules.py PAGE --count")
    yield from (f"{b[0]}.{b[1]} stands behind {a[0]}.{a[1]}" for a, b in zip(order, order[1:], strict=False) if a >= b)
    for number, entry in found.items():
        for wrong in wrong_with_entry(text_of(page, entry), entry[3], rules.get(number), scenarios):
            yield f"{number}: {wrong}"


def wrong_citations(file: Path, numbers: set[str]) -> Iterator[str]:
    text = file.read_text(encoding="utf-8", errors="replace")
    for pattern, number in ((_CITED, _NUMBER), (_CITED_GROUP, r"\d+")):
        for cited in pattern.finditer(text):
            line = text.count("\n", 0, cited.start()) + 1
            yield from (f"{file}:{line}: there is no rule {one}" for one in re.findall(number, cited[1])
                        if one not in numbers)
    for cited in _OTHERWISE.finditer(text):
        yield f"{file}:{text.count(chr(10), 0, cited.start()) + 1}: say row, not {cited[0]}"


def main(arguments: list[str]) -> int:
    path = Path(arguments[0])
    page = path.read_text()
    if arguments[1:] == ["--write"]:
        path.write_text(written(page, known_rules()))
        return 0
    if arguments[1:] == ["--count"]:
        print(count_text(page))
        return 0
    numbers = set(entries(page)) | set(_GROUP.findall(page))
    complaints = [f"{path}: {wrong}" for wrong in wrong_with_page(page)]
    for name in arguments[1:]:
        if Path(name).suffix in SOURCES:
            complaints += wrong_citations(Path(name), numbers)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
