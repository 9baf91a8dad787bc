# SPDX-License-Identifier: Apache-2.0
"""Which process the engine lives in."""

from __future__ import annotations

import os
from typing import Optional

from .errors import Error

# The engine's threads do not survive a fork, so a child of a process that used it cannot.
_used_by_pid: Optional[int] = None
_forked_after_use = False


def _after_fork_in_child() -> None:
    global _forked_after_use
    _forked_after_use = _used_by_pid is not None


os.register_at_fork(after_in_child=_after_fork_in_child)


def is_forked_child() -> bool:
    """Whether the engine was used before the fork: its operations and threads are the parent's."""
    return _forked_after_use


def claim_process() -> None:
    global _used_by_pid
    if _forked_after_use:
        raise Error(
            "kingpost was used before this process was forked, and cannot be used in the child; "
            "start the process with multiprocessing's 'spawn' method, or fork before the first use"
        )
    _used_by_pid = os.getpid()
