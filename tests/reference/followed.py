# SPDX-License-Identifier: Apache-2.0
"""Which version the project follows: what its own files say."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
_PIN = "cpp/model/version_range.h"


def engine_version() -> str:
    """As the command says it is compatible with it: "3.274.1"."""
    found = re.search(r'kPulumiVersion\[\] = "([\d.]+)"', (REPOSITORY / _PIN).read_text())
    if found is None:
        raise LookupError(f"{_PIN} does not say which version is followed: kPulumiVersion is not there")
    return found[1]


def parsed(version: str) -> tuple[int, ...]:
    """So that versions can be compared; a prerelease counts as its release."""
    return tuple(int(part) for part in version.removeprefix("v").partition("-")[0].split("."))
