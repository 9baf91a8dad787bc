# SPDX-License-Identifier: Apache-2.0
"""The garbage collector, while programs run and results are made. It goes through all objects again and again, although
many are made and none is garbage. For a program of ten thousand resources that takes as long as everything else."""

from __future__ import annotations

import gc
import threading
from contextlib import contextmanager
from typing import Iterator, Optional, Tuple


@contextmanager
def no_collection() -> Iterator[None]:
    """For a moment: other threads may make garbage meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_lock = threading.Lock()
_running = 0
_before: Optional[Tuple[int, int, int]] = None


@contextmanager
def rare_collection() -> Iterator[None]:
    """While a program runs. The process keeps its own thresholds, if it has chosen some, and has them back afterwards."""
    from .accelerate.garbage import USUAL, WIDE

    global _running, _before
    with _lock:
        _running += 1
        if _running == 1 and gc.get_threshold() in USUAL:
            _before = gc.get_threshold()
            gc.set_threshold(*WIDE)
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            if _running == 0 and _before is not None:
                if gc.get_threshold() == WIDE:
                    gc.set_threshold(*_before)
                _before = None
