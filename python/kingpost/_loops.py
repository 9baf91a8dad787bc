# SPDX-License-Identifier: Apache-2.0
"""Event loops for programs and components, used one after the other.

grpc.aio keeps each loop that one of its servers ran on for the life of the process. The SDK serves hooks and transforms
with one, so a new loop for each operation would cost an open file of the process each time.
"""

from __future__ import annotations

import asyncio
import atexit
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Awaitable, Coroutine, Dict, List, Optional, Tuple, Type, TypeVar, cast

from ._process import is_forked_child

if TYPE_CHECKING:
    from ._loop_calls import EngineCalls

T = TypeVar("T")

_lock = threading.Lock()
_idle: List[asyncio.AbstractEventLoop] = []


def _close_idle() -> None:
    if is_forked_child():
        return  # a thread that is not here may have held the lock
    with _lock:
        while _idle:
            _idle.pop().close()


atexit.register(_close_idle)


def _executor_for(threads_max: int, calls: Optional["EngineCalls"]) -> ThreadPoolExecutor:
    if calls is None:
        return ThreadPoolExecutor(max_workers=threads_max)
    from ._loop_calls import CallingExecutor

    return CallingExecutor(calls, threads_max)


async def outcome(work: Awaitable[T]) -> Tuple[Optional[T], Optional[BaseException]]:
    """With the exception as a value: a loop takes some for its own, and waits for ever for one that it cannot read."""
    try:
        return await work, None
    except BaseException as error:  # noqa: BLE001
        return None, error


class BorrowedLoop:
    """A loop with threads of its own, for one program. What is left of its tasks is cancelled at the end of the block."""

    def __init__(self, threads_max: int, calls: Optional["EngineCalls"] = None) -> None:
        self._calls = calls
        self._broken: Optional[BaseException] = None
        self._executor = _executor_for(threads_max, calls)
        with _lock:
            self._loop = _idle.pop() if _idle else asyncio.new_event_loop()

    def __enter__(self) -> "BorrowedLoop":
        self._loop.set_default_executor(self._executor)
        if self._calls is not None:
            self._calls.attach(self._loop)
        self._loop.set_exception_handler(self._note)
        return self

    def run(self, work: "Coroutine[Any, Any, T]") -> T:
        try:
            result, failure = self._loop.run_until_complete(outcome(work))
        except RuntimeError:
            if self._broken is None:
                raise
            result, failure = None, self._broken
        if failure is not None:
            raise failure
        return cast(T, result)

    def _note(self, loop: asyncio.AbstractEventLoop, failed: Dict[str, Any]) -> None:
        """Failed tasks are the program's failure, and told as that. One is not told by itself: where an exception's own class
        raises as soon as the task asks for it, the task never ends, nor does who waits for it."""
        handle, error = failed.get("handle"), failed.get("exception")
        task = getattr(getattr(handle, "_callback", None), "__self__", None)
        if self._broken is None and error is not None and isinstance(task, asyncio.Task) and not task.done():
            self._broken = error
            loop.stop()

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            if self._broken is None:
                self._cancel_tasks()
            if self._calls is not None:
                self._calls.detach()
        except BaseException:  # noqa: BLE001 - a task that raises what ends a loop; nobody uses that one again
            self._loop.close()
        else:
            if self._broken is None:
                with _lock:
                    _idle.append(self._loop)
            else:
                self._loop.close()
        self._executor.shutdown(wait=False)
        sys.stdout.flush()
        sys.stderr.flush()

    def _cancel_tasks(self) -> None:
        pending = asyncio.all_tasks(self._loop)
        for task in pending:
            task.cancel()
        if pending:
            self._loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
