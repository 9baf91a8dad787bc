# SPDX-License-Identifier: Apache-2.0
"""The reference's own lifecycle tests: which are new, which are others than before."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from .rows import Row, changes

_FOLDER = "engine/lifecycletest"
_TEST = re.compile(r"^func (Test\w+)\(.*?^}$", re.MULTILINE | re.DOTALL)


def tests(source: Path) -> dict[str, str]:
    """"file_test.go TestName" with the hash of its text."""
    found = {}
    for path in sorted((source / _FOLDER).glob("*_test.go")):
        for test in _TEST.finditer(path.read_text()):
            found[f"{path.name} {test[1]}"] = hashlib.sha256(test[0].encode()).hexdigest()
    return found


def rows(old: Path, new: Path) -> list[Row]:
    return changes("lifecycle tests", tests(old), tests(new))
