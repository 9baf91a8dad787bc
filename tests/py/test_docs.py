# SPDX-License-Identifier: Apache-2.0
"""The reference pages equal the command's help, and the hand-written pages name only flags and commands that exist."""

import re
import subprocess
import sys

import pytest

from harness import Command
from harness.commands import REPOSITORY


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, REPOSITORY / "docs" / "site" / "generate.py", Command.kingpost().path, folder / "pages",
                    folder / "man"], check=True, capture_output=True)
    return folder


def test_every_command_has_its_page(built):
    page = (built / "pages" / "reference" / "commands.md").read_text()
    listing = subprocess.run([Command.kingpost().path, "--help"], text=True, capture_output=True, check=True).stdout
    for line in listing.partition("Commands:\n")[2].partition("\n\n")[0].splitlines():
        if line.startswith("  "):
            path = re.split(r"  +", line.strip())[0]
            assert f"\n## {path}\n" in page
            assert (built / "man" / f"kingpost-{path.replace(' ', '-')}.1").exists()
    assert "| `-y,--yes` | Do not ask before going on |" in page
    assert "kingpost stack init dev" in page


def test_exit_codes_are_those_of_the_command(built):
    page = (built / "pages" / "reference" / "exit-codes.md").read_text()
    assert "| 7 | has changes |" in page and "| 2 | usage |" in page and "| 255 | internal |" in page


def test_man_pages_are_roff_without_complaints(built):
    mandoc = subprocess.run(["sh", "-c", "command -v groff"], capture_output=True, check=False).returncode == 0
    if not mandoc:
        pytest.skip("groff is not installed")
    for page in sorted((built / "man").iterdir())[:5]:
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=True)
        assert not done.stderr, f"{page.name}: {done.stderr}"


def test_environment_variables_that_are_read_are_documented():
    text = "".join(path.read_text() for path in (REPOSITORY / "cpp").rglob("*.cc"))
    read = set(re.findall(r'(?:getenv|GetEnvironment|IsTrueVariable)\("((?:PULUMI|KINGPOST)_\w+)"', text))
    read |= set(re.findall(r'IsTrueVariable\("\w+", "(\w+)"', text))  # former names
    page = (REPOSITORY / "docs" / "reference" / "environment.md").read_text()
    assert read and read <= set(re.findall(r"`([A-Z_]+)`", page)), "docs/reference/environment.md lacks some"


def test_flags_and_commands_that_the_guide_names_exist(built):
    reference = (built / "pages" / "reference" / "commands.md").read_text()
    flags = set(re.findall(r"--[a-z-]+", reference))
    known = {line[3:] for line in reference.splitlines() if line.startswith("## ")}
    for page in (REPOSITORY / "docs" / "guide").glob("*.md"):
        for line in re.findall(r"(?<!-m )kingpost [^`#\n]*", page.read_text()):
            words = line.split()
            first = [word for word in words[1:3] if re.fullmatch(r"[a-z-]+", word)]
            assert " ".join(first) in known or first[0] in known, f"{page.name}: {line}"
            assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= flags, f"{page.name}: {line}"


def test_errors_of_the_troubleshooting_page_exist():
    source = "".join(path.read_text() for folder in ("cpp", "python") for path in (REPOSITORY / folder).rglob("*.*")
                     if path.suffix in (".cc", ".h", ".py"))
    source = re.sub(r'"\s*\n\s*"', "", source)  # a literal in several pieces
    page = (REPOSITORY / "docs" / "guide" / "troubleshooting.md").read_text()
    errors = [line[3:] for line in page.splitlines() if line.startswith("## ") and line != "## Problems without an error"]
    assert len(errors) > 15
    assert [error for error in errors if error not in source] == []
