# SPDX-License-Identifier: Apache-2.0
"""The wait for all outputs at the end of a program: each output is watched once.

The SDK waits for any of all outputs with asyncio.wait, and after each completion adds its callback to all the others
again. That costs the number of outputs times the number of completions. Here an output gets one callback, when the wait
first sees it.

The result equals the SDK's, for these reasons:

- Outputs are taken from SETTINGS.outputs at the same moments: at the beginning and whenever one of those taken has ended.
  That matters to Output.recover(): an output that has been taken counts as failed even if the program recovers later.

- The SDK's own function waits for registrations; it is called without its second half.

- The SDK's own function raises the error of an output that failed: same error, same frames.

Where several outputs have failed by then, the SDK raises the error of any of them, in the order of a set. Here it is one that
caused no other ("While processing input ..." rather than what the input's apply raised). It is handed over as a new
future: one error may be that of two outputs, and a future gives its trace away but once.
"""

from __future__ import annotations

import asyncio
import types
from contextlib import nullcontext
from typing import Any, Dict, List, Optional, Set

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.stack:wait_for_rpcs": ("c92289a2f839f522", "c0f9027f85ad0925"),
    "pulumi.output:Output._track": ("72569ad70fd52b20",),
}


class _Watched:
    """The outputs taken so far that have not ended, and those that have since anybody looked."""

    def __init__(self) -> None:
        self.running: Dict["asyncio.Future[Any]", None] = {}  # in the order in which they were taken
        self.ended: List["asyncio.Future[Any]"] = []
        self._waiter: Optional["asyncio.Future[None]"] = None

    def take(self, output: "asyncio.Future[Any]") -> None:
        self.running[output] = None
        output.add_done_callback(self._end)

    async def any_ended(self) -> List["asyncio.Future[Any]"]:
        if not self.ended:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        ended, self.ended = self.ended, []
        return ended

    def _end(self, output: "asyncio.Future[Any]") -> None:
        del self.running[output]
        self.ended.append(output)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class _OneFailure:
    """The outputs that the SDK's function sees when it is to raise one output's error: no RPCs, and this output
    alone."""

    rpcs: List[Any] = []
    unhandled_exception = None
    lock = nullcontext()

    def __init__(self, output: "asyncio.Future[Any]") -> None:
        self.outputs = {output}


def _behind(error: Optional[BaseException]) -> Optional[BaseException]:
    """The exception that led to this one. An exception's class may refuse to be true or false, so that only None is asked for."""
    if error is None:
        return None
    return error.__context__ if error.__cause__ is None else error.__cause__


def _most_telling(failed: List["asyncio.Future[Any]"]) -> "asyncio.Future[Any]":
    """The first whose error is not the cause of another's."""
    errors = [None if output.cancelled() else output.exception() for output in failed]
    causes: Set[int] = set()
    for error in errors:
        cause = _behind(error)
        while cause is not None and id(cause) not in causes:
            causes.add(id(cause))
            cause = _behind(cause)
    for output, error in zip(failed, errors):
        if id(error) not in causes:
            return output
    return failed[0]


def install(swaps: Swaps) -> None:
    from pulumi.runtime import settings, stack

    original: Any = stack.wait_for_rpcs
    # Some releases pass over the outputs of a resource that the engine reported as failed.
    passes_over = "ResourceRegistrationFailed" in original.__code__.co_names
    no_failure: Any = vars(stack)["ResourceRegistrationFailed"] if passes_over else ()

    async def wait_for_rpcs(await_all_outstanding_tasks: bool = True) -> None:
        rpcs = settings._get_rpc_manager()
        while True:
            await original(False)
            if await_all_outstanding_tasks:
                await wait_for_outputs()
            if len(rpcs.rpcs) == 0:
                return

    async def wait_for_outputs() -> None:
        watched = _Watched()
        while True:
            take_new(watched)
            if not watched.running and not watched.ended:
                return
            ended = await watched.any_ended()
            if any(has_failed(output) for output in ended):
                await asyncio.sleep(0)  # what fails because of it fails in this turn of the loop
                taken = [*ended, *watched.ended, *watched.running]
                await raise_in_sdk(_most_telling([output for output in taken if output.done() and has_failed(output)]))

    def take_new(watched: _Watched) -> None:
        with settings.SETTINGS.lock:
            outputs = settings.SETTINGS.outputs
            new = list(outputs)
            outputs.clear()
        for output in new:
            watched.take(output)

    def has_failed(output: "asyncio.Future[Any]") -> bool:
        if output.cancelled():
            return True
        error = output.exception()
        return error is not None and not isinstance(error, no_failure)

    async def raise_in_sdk(output: "asyncio.Future[Any]") -> None:
        failed = asyncio.get_running_loop().create_future()
        error = None if output.cancelled() else output.exception()
        if error is None:
            failed.cancel()
        else:
            failed.set_exception(error)
        only = _OneFailure(failed)
        world = dict(original.__globals__, SETTINGS=only, _get_rpc_manager=lambda: only)
        await types.FunctionType(original.__code__, world)(True)

    swaps.add(original, wait_for_rpcs)
