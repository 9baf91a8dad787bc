#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the work under the GIL while an in-process Python provider makes resources, in processor time, so that a
busy machine gives the same result as an idle one.

usage: gil.py [RESOURCES]      with .venv's Python

    program     the SDK, on the program's thread and its loop's executor
    callbacks   the user's provider, on the pool of threads, and the bridge that hands over requests and answers
    main        the thread that called up(), and waits
    extension   threads of the engine, while they make requests out of its values and read answers: they count themselves
    engine      all other threads: the engine, gRPC and what else runs beside Python

The first four are the time under the GIL, at most: Python's threads let it go now and then, inside gRPC above all.
"""

from __future__ import annotations

import collections
import resource
import sys
import threading
import time

import kingpost
import pulumi
from kingpost import _kingpost

_PARTS = {"kingpost-program": "program", "asyncio": "program", "ThreadPoolExecutor": "program", "MainThread": "main",
          "kingpost-callback": "callbacks", "kingpost-async": "callbacks"}


class Thing(pulumi.CustomResource):
    def __init__(self, name: str, **inputs: object) -> None:
        super().__init__("test:index:Thing", name, inputs)


class Things(kingpost.Provider):
    def create(self, request: kingpost.CreateRequest) -> kingpost.CreateResponse:
        return kingpost.CreateResponse(request.name, {**request.inputs, "size": 1})


class Threads:
    """The processor time of Python's threads, which each tells when it ends."""

    def __init__(self) -> None:
        self._seconds: collections.Counter[str] = collections.Counter()
        self._running: set[threading.Thread] = set()
        run = threading.Thread.run

        def counted(thread: threading.Thread) -> None:
            self._running.add(thread)
            try:
                run(thread)
            finally:
                self._seconds[next((part for begin, part in _PARTS.items() if thread.name.startswith(begin)), "other")] += (
                    time.thread_time()
                )
                self._running.discard(thread)

        threading.Thread.run = counted  # type: ignore[method-assign]

    def ended(self) -> dict[str, float]:
        """Once all have."""
        end = time.monotonic() + 30
        while self._running and time.monotonic() < end:
            time.sleep(0.05)
        return dict(self._seconds)


def main(count: int) -> None:
    def program() -> None:
        for index in range(count):
            Thing(f"thing-{index}", number=index, text="a text of some length", tags={"a": "b"})

    threads = Threads()
    stack = kingpost.Stack("bench", "dev", program, providers={"test": Things()})
    begin, main_begin, all_begin = time.perf_counter(), time.thread_time(), time.process_time()
    visits, held = _kingpost.gil_use()
    assert stack.up().summary["create"] == count + 1
    seconds, in_main = time.perf_counter() - begin, time.thread_time() - main_begin
    spent = {"main": in_main, **threads.ended()}
    total = time.process_time() - all_begin
    visits, held = _kingpost.gil_use()[0] - visits, _kingpost.gil_use()[1] - held
    spent["extension"] = held
    spent["engine"] = total - sum(spent.values())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{count} resources, {total:.1f} s of processor time ({seconds:.1f} s by the clock), {memory} MB at most; "
          f"the extension had the GIL {visits} times")
    for part, used in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {part:10} {used:6.2f} s  {100 * used / total:5.1f} %")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
