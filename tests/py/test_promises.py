# SPDX-License-Identifier: Apache-2.0
"""Each promise in the tables of docs/security.md and docs/backends.md names a test, and each named test exists."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGES = ("security", "backends")


def rows(page: str) -> list[tuple[str, str]]:
    """The promises, and what tests them."""
    text = (REPOSITORY / "docs" / f"{page}.md").read_text()
    table = text.split("## What is tested where\n", 1)[1].split("\n## ", 1)[0]
    found = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table.splitlines() if line.startswith("| ")]
    return [row for row in found[1:] if len(row) == 2]


def names_in(path: Path) -> str:
    """The names of the tests in the file or folder, in words."""
    files = [path] if path.is_file() else [*path.rglob("*.cc"), *path.rglob("*.py")]
    names = []
    for file in files:
        text = file.read_text()
        joined = re.sub(r'"\s*\n\s*"', "", text)
        names += re.findall(r'TEST_CASE\("((?:[^"\\]|\\.)*)"', joined)
        names += [name.replace("_", " ") for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)]
    return "\n".join(names)


@pytest.mark.parametrize("page", PAGES)
def test_each_promise_names_tests_that_are_there(page):
    wrong = []
    promises = rows(page)
    assert len(promises) > 20
    for promise, tests in promises:
        named = re.findall(r"`(tests/[^`]+)`(?:: ([^;]+))?", tests)
        if not named:
            wrong.append(f"{promise}: names no test")
        for path, names in named:
            if not (REPOSITORY / path).exists():
                wrong.append(f"{promise}: {path} is not there")
                continue
            there = names_in(REPOSITORY / path)
            wrong += [f"{promise}: {path} has no test named {name!r}" for name in re.split(r", (?!lost)", names) if name and
                      name.lower() not in there.lower()]
    assert not wrong, "\n".join(wrong)
