# SPDX-License-Identifier: Apache-2.0
"""The garbage collector, while a result is made."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import Iterator


@contextmanager
def no_collection() -> Iterator[None]:
    """For making many objects none of which is garbage: the collector would go through all of them again and again, which
    takes as long as all else that the thread does. Other threads may make garbage meanwhile; it is a moment."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
