# SPDX-License-Identifier: Apache-2.0
"""Where the command is that belongs to this package."""

import os
import shutil
import sys
from pathlib import Path
from typing import Optional

from . import _kingpost


def find_command() -> Optional[str]:
    """From beside this interpreter, the build that this package is a part of, beside this package, or PATH."""
    package = Path(__file__).resolve().parent
    build = Path(str(_kingpost.__file__)).resolve().parents[2]
    for path in (Path(sys.executable).parent / "kingpost", build / "bin" / "kingpost", package / "kingpost"):
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return shutil.which("kingpost")
