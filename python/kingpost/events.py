# SPDX-License-Identifier: Apache-2.0
"""What an operation tells while it works."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Callable, Dict, Optional

from .result import Step, make_step


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    ``kind``: "begin", "end" or "failed" of a step; "diagnostic"; "policy" (a violation); "remediation"; "progress" of a
    download; "summary", the last of every operation that began.
    """

    kind: str
    urn: str = ""
    step: Optional[Step] = None  #: of "begin", "end" and "failed"
    severity: str = ""  #: of "diagnostic" and "policy": "debug", "info", "info#err", "warning" or "error"
    message: str = ""
    policy: str = ""
    changes: Dict[str, int] = field(default_factory=dict)  #: of "summary": op -> how many resources


def make_event(fields: Dict[str, Any], mask: Callable[[str], str]) -> Event:
    step = fields.pop("step", None)
    message = mask(fields.pop("message", ""))
    return Event(**fields, message=message, step=None if step is None else make_step(step))


class EventStream(AsyncIterator[Event]):
    """The events of a stack's next operation, or of the one that runs; ends with it. Any thread may put."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: "asyncio.Queue[Optional[Event]]" = asyncio.Queue()
        self._ended = False

    def put(self, event: Optional[Event]) -> None:
        """None: the operation has ended."""
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, event)
        except RuntimeError:
            pass  # the loop was closed: nobody listens any more

    def __aiter__(self) -> "EventStream":
        return self

    async def __anext__(self) -> Event:
        event = None if self._ended else await self._queue.get()
        if event is None:
            self._ended = True
            raise StopAsyncIteration
        return event
