# SPDX-License-Identifier: Apache-2.0
"""The copyrights and licences of what is linked in, as Debian has gathered them."""

from __future__ import annotations

import re
from pathlib import Path

from linked import Package

_DOCUMENTS = Path("/usr/share/doc")
_LICENCES = Path("/usr/share/common-licenses")


def copyright_of(package: Package) -> str:
    return (_DOCUMENTS / package.name / "copyright").read_text(errors="replace")


def text(packages: list[Package]) -> str:
    """One chapter for each source package, and the licences that Debian's texts only refer to."""
    by_source: dict[str, list[Package]] = {}
    for package in packages:
        by_source.setdefault(package.source, []).append(package)
    chapters, seen = [], ""
    for source, of_source in sorted(by_source.items()):
        told = "\n".join(dict.fromkeys(copyright_of(package).strip() for package in of_source))
        names = ", ".join(f"{package.name} {package.version}" for package in of_source)
        chapters.append(f"{'=' * 100}\n{source} ({names})\n{'=' * 100}\n\n{told}\n")
        seen += told
    for name in sorted(set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", seen))):
        if (_LICENCES / name).is_file():
            chapters.append(f"{'=' * 100}\n{name}\n{'=' * 100}\n\n{(_LICENCES / name).read_text()}\n")
    return "\n".join(chapters)
