# SPDX-License-Identifier: Apache-2.0
"""``python -m kingpost``: the command, from beside this package, this interpreter or PATH. ``provider MODULE`` and
``policies MODULE`` serve what is written in Python, in this process (serving.py)."""

import os
import shutil
import sys
from pathlib import Path
from typing import Optional

from . import _kingpost, serving

_SERVED = ("provider", "policies")


def find_command() -> Optional[str]:
    package = Path(__file__).resolve().parent
    build = Path(str(_kingpost.__file__)).resolve().parents[2]
    for path in (Path(sys.executable).parent / "kingpost", build / "bin" / "kingpost", package / "kingpost"):
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return shutil.which("kingpost")


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] in _SERVED:
        serving.main(sys.argv[1], sys.argv[2:])
    command = find_command()
    if command is None:
        sys.exit("kingpost: the command was not found; build it, or put it on PATH")
    os.execv(command, [command, *sys.argv[1:]])


main()
