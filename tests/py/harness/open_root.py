# SPDX-License-Identifier: Apache-2.0
"""A folder for a test of processes and of a server that another user runs, such as PostgreSQL's."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .processes import kill_all_in


@contextlib.contextmanager
def open_root() -> Iterator[Path]:
    """A folder that other users may enter, with a name short enough for sockets below it. Ends the processes in it at last."""
    path = Path(tempfile.mkdtemp(prefix="kp-"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        kill_all_in(path)
        shutil.rmtree(path, ignore_errors=True)
