#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each source file says under which licence it is: it may be copied out of here alone.

usage: licence.py FILE...
"""

import sys
from pathlib import Path

SOURCES = {".cc", ".h", ".py", ".pyi", ".proto", ".cmake", ".sh", ".js", ".ts", ".go"}
LINE = "SPDX-License-Identifier: Apache-2.0"
LINES_FROM_TOP = 3  # a line for the shell may stand above
# Templates belong to the user from the first line on.
OF_THE_USER = ("cpp/cli/templates/data/", "cpp/cli/templates/policies/")


def is_source(path: Path) -> bool:
    if path.as_posix().startswith(OF_THE_USER):
        return False
    if path.suffix in SOURCES or path.name == "CMakeLists.txt":
        return True
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def has_line(path: Path) -> bool:
    with path.open(encoding="utf-8", errors="replace") as file:
        return any(LINE in file.readline() for _ in range(LINES_FROM_TOP))


if __name__ == "__main__":
    complaints = [f"{name}: says no licence: begin it with a comment '{LINE}'"
                  for name in sys.argv[1:] if is_source(Path(name)) and not has_line(Path(name))]
    print("\n".join(complaints))
    sys.exit(1 if complaints else 0)
