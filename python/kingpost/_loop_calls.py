# SPDX-License-Identifier: Apache-2.0
"""The SDK's calls of the engine, begun on the event loop and answered there, without a thread for each.

The SDK makes each call in the loop's executor, because a stub blocks. Its functions for that do nothing but the call,
so here they run on the loop, twice. The first run ends at the call, which begins. The second run, when the answer is
there, goes from the beginning to the end. Its result, an exception too, is the thread's result.

Only functions that are known word for word run so (accelerate/guard.py). All else has a thread, as ever.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, FrozenSet, Iterator, Optional, Set, Tuple

from . import _kingpost
from ._direct import Answer, BlockingCalls
from .accelerate import is_wanted
from .accelerate.guard import hash_of, hash_of_code

_WRAP = ("pulumi.runtime._context:wrap_with_context", ("20769e8a4bf13126",))
# Where the functions are that call, and the texts of those that are known.
_CALLERS = (
    ("pulumi.runtime.resource", ("get_resource", "read_resource", "exists_resource", "register_resource")),
    ("pulumi.runtime.resource", ("register_resource_outputs",)),
    ("pulumi.runtime.invoke", ("_invoke", "call")),
)
_KNOWN = (
    "5b0cdce3c6b7e897",
    "e75d6cb6b4313c9a",
    "07beacf7247e8f6d",
    "b5129bef639b3882",
    "4d886425df82a28f",
    "b766126332c03edb",
    "32385a0f19407af9",
)
# Functions without a text of their own, by all the names that they look up: they do no more than that.
_LAMBDAS = (
    ("pulumi.runtime.stack", "_wait_for_shutdown", {"SignalAndWaitForShutdown", "empty_pb2", "Empty"}),
    (
        "pulumi.runtime.settings",
        "_load_monitor_feature_support",
        {"SETTINGS", "monitor", "GetDeploymentInfo", "empty_pb2", "Empty"},
    ),
)


class _Begun(BaseException):
    """Ends the first run of a function, at its call."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class EngineCalls:
    """How a program in this process calls its engine: threads wait for their answers, the loop goes on meanwhile."""

    def __init__(self, address: str) -> None:
        self._blocking = BlockingCalls(address)
        self._line = _kingpost.DirectLine(address)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._thread = 0
        self._waiting: Dict[int, Tuple[Callable[[], Any], "asyncio.Future[Any]"]] = {}
        # The state of the function that runs on the loop just now:
        self._begins = False
        self._answer: Optional[Answer] = None

    def __call__(self, service: str, method: str, request: bytes, timeout: Optional[float] = None) -> Answer:
        if threading.get_ident() == self._thread:
            if self._answer is not None:
                return self._answer
            if self._begins:
                raise _Begun(self._line.begin(service, method, request))
        return self._blocking(service, method, request, timeout)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop of this thread is the program's."""
        self._loop, self._thread = loop, threading.get_ident()
        loop.add_reader(self._line.descriptor, self._arrived)

    def detach(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._line.descriptor)
        self._loop, self._thread = None, 0

    def can_begin(self, function: Any) -> bool:
        return self._loop is not None and threading.get_ident() == self._thread and _only_calls(function)

    def begin(self, function: Callable[[], Any]) -> "asyncio.Future[Any]":
        assert self._loop is not None
        future: "asyncio.Future[Any]" = self._loop.create_future()
        self._begins = True
        try:
            result = function()
        except _Begun as begun:
            self._waiting[begun.number] = (function, future)
        except Exception as error:  # noqa: BLE001 - it failed before its call
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            self._begins = False
        return future

    def _arrived(self) -> None:
        for number, code, error, message in self._line.take():
            function, future = self._waiting.pop(number)
            if future.done():  # cancelled: nobody waits any more
                continue
            self._answer = Answer(code, error, message)
            try:
                result = function()
            except Exception as failure:  # noqa: BLE001 - whatever the SDK makes of the answer
                future.set_exception(failure)
            else:
                future.set_result(result)
            finally:
                self._answer = None


class CallingExecutor(ThreadPoolExecutor):
    """An event loop's executor that needs no threads for calls of the engine."""

    def __init__(self, calls: EngineCalls, threads_max: int) -> None:
        super().__init__(max_workers=threads_max)
        self._calls = calls

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if not args and not kwargs and self._calls.can_begin(function):
            return self._calls.begin(function)  # an asyncio.Future, which loops take as it is
        return super().submit(function, *args, **kwargs)


# --- which functions those are --------------------------------------------------------------------


def _only_calls(function: Any) -> bool:
    """One of the SDK's that are known, in its wrapping."""
    wrapper, run, calls = _known()
    if wrapper is None or getattr(function, "__code__", None) is not wrapper:
        return False
    within = _closed_over(_closed_over(function, "run"), "fn") if run is not None else None
    return getattr(within, "__code__", None) in calls


def _closed_over(function: Any, name: str) -> Any:
    code = getattr(function, "__code__", None)
    if code is None or name not in code.co_freevars:
        return None
    return function.__closure__[code.co_freevars.index(name)].cell_contents


@functools.lru_cache(maxsize=None)
def _known() -> Tuple[Optional[types.CodeType], Optional[types.CodeType], FrozenSet[types.CodeType]]:
    """The code of the wrapping and of what it wraps, and of the functions that call. Nothing where the SDK is another."""
    name, hashes = _WRAP
    if not is_wanted("loop_calls") or hash_of(name) not in hashes:
        return None, None, frozenset()
    wrap = _function(*name.split(":"))
    inner = {code.co_name: code for code in _codes_within(wrap.__code__)}
    calls: Set[types.CodeType] = set()
    for module, functions in _CALLERS:
        for function in functions:
            found = _function(module, function)
            for code in _codes_within(found.__code__) if found is not None else ():
                if code.co_name in ("do_rpc_call", "do_invoke") and hash_of_code(code) in _KNOWN:
                    calls.add(code)
    for module, function, names in _LAMBDAS:
        found = _function(module, function)
        for code in _codes_within(found.__code__) if found is not None else ():
            if code.co_name == "<lambda>" and {*code.co_names, *code.co_freevars} - {"monitor"} == names - {"monitor"}:
                calls.add(code)
    return inner.get("wrapper"), inner.get("run"), frozenset(calls)


def _function(module: str, name: str) -> Any:
    found = getattr(importlib.import_module(module), name, None)
    found = getattr(found, "__wrapped__", found)
    return found if isinstance(found, types.FunctionType) else None


def _codes_within(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes_within(constant)
