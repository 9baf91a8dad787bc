# SPDX-License-Identifier: Apache-2.0
"""The Python of the guide's pages runs: their blocks, one after the other, are a program or a file of tests."""

import re
import subprocess
import sys

import pytest
from harness.pages import DOCS, blocks_of


TEST_PAGES = {"testing.md": 9, "state-migrations.md": 3}  # how many tests at least
PROGRAM_PAGES = ["library.md", "policies.md", "write-a-provider.md", "many-machines.md", "../python.md"]


def code_of(page):
    blocks = [block.code for block in blocks_of(DOCS / "guide" / page) if block.language == "python" and not block.reason]
    assert blocks
    return "\n".join(blocks)


@pytest.mark.parametrize(("page", "at_least"), TEST_PAGES.items())
def test_the_blocks_about_tests_are_tests(page, at_least, tmp_path):
    code = code_of(page)
    (tmp_path / "test_page.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "-p", "no:kingpost", "-p", "kingpost.testing.plugin",  # once, where the package is installed and brings it itself
         "--rootdir", tmp_path,
         "-c", "/dev/null", "--kingpost-accept", tmp_path],
        capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    tests = len(re.findall(r"^def test_", code, re.M))
    assert tests >= at_least and f"{tests} passed" in done.stdout


@pytest.mark.parametrize("page", PROGRAM_PAGES)
def test_the_blocks_of_a_page_are_a_program(page, tmp_path):
    (tmp_path / "page.py").write_text(code_of(page))
    done = subprocess.run([sys.executable, "page.py"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
