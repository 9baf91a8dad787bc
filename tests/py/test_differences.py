# SPDX-License-Identifier: Apache-2.0
"""docs/differences.md is the one list of what is meant to differ: each rule of the tests has its section there."""

import re
from pathlib import Path

import pytest

from harness import differential_rules, known_differences

TEXT = (Path(__file__).parents[2] / "docs" / "differences.md").read_text()
SECTIONS = dict(re.findall(r"^### (.*)\n((?:(?!^#).*\n)*)", TEXT, re.MULTILINE))
RULES = {name.replace(" ", "_") for name in [*known_differences.ADJUSTMENTS, *known_differences.WHOLE_ACTS,
                                             *known_differences.CHANCE]}
RULES |= set(differential_rules.RULES)


def rules_of(body: str) -> set[str]:
    """The rules that the last line names: (`a`, `b`)."""
    last = re.search(r"\((`\w+`(?:, `\w+`)*)\)\s*$", body)
    return set(re.findall(r"`(\w+)`", last[1])) if last else set()


def test_each_rule_of_the_tests_has_its_section():
    listed = [rule for body in SECTIONS.values() for rule in rules_of(body)]
    assert sorted(listed) == sorted(RULES)


@pytest.mark.parametrize("title", SECTIONS)
def test_each_section_says_what_differs(title):
    assert len(SECTIONS[title].split()) > 15
