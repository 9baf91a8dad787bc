# SPDX-License-Identifier: Apache-2.0
"""Time that passes when a test says so."""

from __future__ import annotations

import threading


class SimulatedClock:
    """Seconds since the test began. ``sleep`` returns at once, and it is that much later. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("time does not go back")
        with self._lock:
            self._now += seconds
