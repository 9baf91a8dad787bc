# SPDX-License-Identifier: Apache-2.0
"""Where user code runs: a bounded number of daemon threads for functions, one loop for coroutine functions.

They are Python's own threads, with nothing of the extension on their stacks. A function that never returns keeps its
thread, and nothing else: the process may end meanwhile.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
import traceback
from collections import deque
from typing import Any, Callable, Coroutine, Deque, List, Optional

Job = Callable[[], None]

_TURN_SECONDS = 1.0  # for one turn of an event loop that nothing holds up, on a machine with much to do


class CallbackPool:
    """One for each operation. ``close`` lets idle threads go; those that are busy go when they are done."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._jobs: "queue.SimpleQueue[Optional[Job]]" = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._unfinished = 0
        self._closed = False
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._left_loops: List[asyncio.AbstractEventLoop] = []  # each held up by a coroutine that blocks its thread
        self._not_begun: Deque[Callable[[], Coroutine[Any, Any, None]]] = deque()
        self._context = contextvars.copy_context()

    def run(self, job: Job) -> None:
        with self._lock:
            self._unfinished += 1
            grow = self._unfinished > self._threads and self._threads < self._size
            self._threads += grow
        self._jobs.put(job)
        if grow:
            self.run_apart(self._work)

    def lose_one(self) -> None:
        """A job has run for too long and has lost its waiter: another thread takes its thread's place."""
        with self._lock:
            self._size += 1
            grow = self._unfinished > self._threads
            self._threads += grow
            loop = self._loop
        if grow:
            self.run_apart(self._work)
        if loop is not None:
            self.run_apart(lambda: self._leave_if_held_up(loop))

    def run_apart(self, job: Job) -> None:
        """On a thread of its own, for what must not wait for the others."""
        context = self._context.copy()
        threading.Thread(target=context.run, args=(job,), name="kingpost-callback", daemon=True).start()

    def run_async(self, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._not_begun.append(make)
        self._begin_one_on(self._loop_for_all())

    def _begin_one_on(self, loop: asyncio.AbstractEventLoop) -> None:
        def begin() -> None:
            loop.create_task(self._run_next())

        loop.call_soon_threadsafe(begin, context=self._context.copy())

    async def _run_next(self) -> None:
        """Takes its coroutine when it runs, not before: another one may hold up the loop first, and then it is another loop's."""
        try:
            make = self._not_begun.popleft()
        except IndexError:
            return  # begun by the loop that took this one's place
        await make()

    def _leave_if_held_up(self, loop: asyncio.AbstractEventLoop) -> None:
        """A coroutine that blocks its loop's thread would keep all others from beginning: they get another loop."""
        turned = threading.Event()
        loop.call_soon_threadsafe(turned.set)
        if turned.wait(_TURN_SECONDS):
            return
        with self._lock:
            if self._loop is not loop or self._closed:
                return
            self._left_loops.append(loop)
            self._loop = None
        for _ in range(len(self._not_begun)):
            self._begin_one_on(self._loop_for_all())

    def close(self) -> None:
        with self._lock:
            threads, self._size, self._closed = self._threads, 0, True
            loops = [*self._left_loops, *([self._loop] if self._loop is not None else [])]
        for _ in range(threads):
            self._jobs.put(None)
        for loop in loops:
            loop.call_soon_threadsafe(_cancel_and_stop, loop)

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            try:
                job()
            except BaseException:  # noqa: BLE001 - jobs answer for themselves; the thread goes on for the next
                traceback.print_exc()
            del job  # what it holds is not kept until the next one
            with self._lock:
                self._unfinished -= 1

    def _loop_for_all(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._loop,), name="kingpost-async", daemon=True).start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _cancel_and_stop(loop: asyncio.AbstractEventLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    # One more turn, in which they end.
    loop.call_soon(loop.stop)
