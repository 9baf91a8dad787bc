# SPDX-License-Identifier: Apache-2.0
"""``python -m kingpost``: the command, from beside this package, this interpreter or PATH."""

import os
import shutil
import sys
from pathlib import Path
from typing import Optional

from . import _kingpost


def find_command() -> Optional[str]:
    package = Path(__file__).resolve().parent
    build = Path(str(_kingpost.__file__)).resolve().parents[2]
    for path in (Path(sys.executable).parent / "kingpost", build / "bin" / "kingpost", package / "kingpost"):
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return shutil.which("kingpost")


def main() -> None:
    command = find_command()
    if command is None:
        sys.exit("kingpost: the command was not found; build it, or put it on PATH")
    os.execv(command, [command, *sys.argv[1:]])


main()
