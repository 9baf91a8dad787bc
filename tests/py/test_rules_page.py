# SPDX-License-Identifier: Apache-2.0
"""The counts of tests/checks/rules.py on the page of rules."""

import sys

from harness import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "tests" / "checks"))
import rules

PAGE = """
## Group 2: Names

### 2.1 In one file, named twice
* Decided in `decisions/choose.cc` (`Choose`), `decisions/choose.h` (`Candidate`)

### 2.2 In two files
* Decided in `decisions/choose.cc` (`Choose`), `decisions/keep.cc`
  (`StatesToKeep`)

### 2.3 Outside of the decisions
* Decided in `model/urn.cc`

## Group 7: The record

### 7.1 No rule of the engine
* Decided in `decisions/elision.cc`
"""


def test_a_rule_counts_if_one_file_of_the_decisions_decides_it():
    homes = rules.homes(PAGE)
    assert homes == {"2.1": ["decisions/choose"], "2.2": ["decisions/choose", "decisions/keep"], "2.3": ["model/urn"]}
    assert rules.decided_in_one(homes) == ["2.1"]


def test_the_count_names_the_files_of_the_others():
    text = rules.count_text(PAGE)
    assert text.startswith("1 of 3 rules of groups 2 to 6 are decided in one file of decisions/.")
    assert "2.2: decisions/choose, decisions/keep" in text and "2.1:" not in text


def test_the_count_may_not_fall():
    page = (REPOSITORY / "docs" / "rules.md").read_text()
    assert len(rules.decided_in_one(rules.homes(page))) >= rules.DECIDED_IN_ONE_MIN
    fewer = page.replace("* Decided in `decisions/", "* Decided in `engine/")
    assert any("are decided in one file of decisions/" in wrong for wrong in rules.wrong_with_page(fewer))
