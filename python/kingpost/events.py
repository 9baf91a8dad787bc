# SPDX-License-Identifier: Apache-2.0
"""The events of a running operation."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, AsyncIterator, Callable, Dict, Literal, Optional, Union

from ._hints import in_python
from .result import Step, make_step
from .words import EventKind, Severity


@dataclass(frozen=True)
class Event:
    """One thing that happened in an operation.

    kind:     "begin", "end", "failed" or "awaiting" of a step; "diagnostic"; "policy" (a violation); "remediation";
              "progress" of a download; "summary", the last of every operation that began
    urn:      of the resource that it is about, or ""
    step:     of the first four, else None
    severity: of "diagnostic" and "policy": "debug", "info", "info#err", "warning" or "error"; else ""
    message:  without secrets
    policy:   of "policy" and "remediation": its name
    changes:  of "summary": op -> how many resources
    """

    kind: EventKind
    urn: str = ""
    step: Optional[Step] = None
    severity: Union[Severity, Literal[""]] = ""
    message: str = ""
    policy: str = ""
    changes: Dict[str, int] = field(default_factory=dict)


def make_event(fields: Dict[str, Any], mask: Callable[[str], str]) -> Event:
    step = fields.pop("step", None)
    message = in_python(mask(fields.pop("message", "")))
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
