# SPDX-License-Identifier: Apache-2.0
"""``python -m kingpost``: the command, from beside this package, this interpreter or PATH. ``provider MODULE`` and
``policies MODULE`` serve what is written in Python, in this process (serving.py)."""

import os
import sys

from . import serving
from ._find_command import find_command

_SERVED = ("provider", "policies")


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1] in _SERVED:
        serving.main(sys.argv[1], sys.argv[2:])
    command = find_command()
    if command is None:
        sys.exit("kingpost: the command was not found; build it, or put it on PATH")
    os.execv(command, [command, *sys.argv[1:]])


main()
