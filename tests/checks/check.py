#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The form of the repository: what ./dev check runs. To add a check is to add a line to the table.

usage: check.py [NAME...]      those checks alone; `tidy` runs only when it is named
"""

import os
import subprocess
import sys
from pathlib import Path

from stages import REPOSITORY, Stage, chosen, run

HERE = Path(__file__).parent
ON_DEMAND = {"tidy"}


def tracked(*patterns: str) -> list[str]:
    """Files of the work tree that git does not ignore."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], cwd=REPOSITORY, text=True,
                            check=True, capture_output=True).stdout.split("\n")
    return [name for name in listed if name and (REPOSITORY / name).is_file()]


def shell_scripts() -> list[str]:
    def is_script(name: str) -> bool:
        with (REPOSITORY / name).open("rb") as file:
            first = file.readline(80)
        return first.startswith(b"#!") and (b"bash" in first or first.rstrip().endswith(b"/sh"))
    return [name for name in tracked() if is_script(name)]


def stages() -> list[Stage]:
    return [
        Stage("format", ["clang-format", "--dry-run", "-Werror", *tracked("*.cc", "*.h")]),
        Stage("includes", [sys.executable, str(HERE / "includes.py"), *tracked("*.cc", "*.h")]),
        Stage("python", ["ruff", "check", "--quiet", "--output-format=concise", "."]),
        Stage("types", ["mypy", "--no-error-summary"]),
        Stage("pyright", ["basedpyright"]),
        # Each type that users see is written down: none is left for their checker to guess.
        Stage("typed", ["basedpyright", "--verifytypes", "kingpost", "--ignoreexternal"], env={"PYTHONPATH": "python"}),
        Stage("shell", ["shellcheck", *shell_scripts()]),
        Stage("markdown", [sys.executable, str(HERE / "markdown.py"), *tracked("*.md")]),
        Stage("spelling", ["codespell", *tracked()]),
        Stage("paths", [sys.executable, str(HERE / "paths.py"), *tracked()]),
        Stage("rules", [sys.executable, str(HERE / "rules.py"), "docs/rules.md", *tracked("cpp", "docs", "tests", "HACKING.md")]),
        Stage("words", [sys.executable, str(HERE / "words.py"), *tracked("*.cc", "*.h", "*.py", "*.pyi", "*.md")]),
        Stage("unsteady", [sys.executable, str(HERE / "unsteady.py")]),
        Stage("licence", [sys.executable, str(HERE / "licence.py"), *tracked()]),
        Stage("planted", [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE),
                          str(HERE.parent / "mutation"), str(HERE.parent / "reference")]),
        Stage("tidy", [sys.executable, str(HERE / "tidy.py")], limit_s=7200),
    ]


if __name__ == "__main__":
    wanted = chosen(stages(), sys.argv[1:])
    if not sys.argv[1:]:
        wanted = [stage for stage in wanted if stage.name not in ON_DEMAND]
    sys.exit(run(wanted, side_by_side=os.cpu_count() or 1))
