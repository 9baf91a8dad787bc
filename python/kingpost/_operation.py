# SPDX-License-Identifier: Apache-2.0
"""One operation under way: started, listened to, cancelled and waited for, by threads or by an event loop."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures.thread  # noqa: F401
import select
import threading
import time
import weakref
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Dict, Optional, Protocol, Tuple, TypeVar, cast

from . import _kingpost
from ._callback import GRACE_SECONDS
from ._garbage import no_collection
from ._pool import CallbackPool
from ._process import is_forked_child
from .events import Event, make_event

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")


class Interruptible(Protocol):
    def _interrupt(self) -> None: ...

    def _is_held_up(self) -> bool: ...


S = TypeVar("S", bound=Interruptible)
R = TypeVar("R")

_POLL_SECONDS = 0.2  # how soon a KeyboardInterrupt is noticed
_LISTENER_SECONDS = 1.0  # that a listener of events still has when its operation was stopped


class RunningOperation:
    """Waits in Python, so that signals are noticed and the interpreter may end while it does."""

    def __init__(self, pool: CallbackPool, mask: Callable[[str], str], hear: Callable[[Event], None]) -> None:
        self._pool = pool
        self._mask = mask
        self._hear = hear
        self._run: Optional["_kingpost.Run"] = None
        self._poll = select.poll()
        self._ended = False
        self._interrupts = 0
        self.is_heard = False  # a listener has been called, and has not returned
        self.is_waited_for = False  # by the end of the interpreter, because its thread is
        self._lock = threading.Lock()

    def begin(self, run: "_kingpost.Run") -> None:
        self.is_waited_for = not threading.current_thread().daemon
        self._run = run
        self._poll.register(run.news_descriptor, select.POLLIN)
        _under_way.add(self)

    def cancel(self) -> None:
        """Finishes what is in flight. A second time: stops at once, and leaves it to the next operation to find out
        what became of it."""
        with self._lock:
            self._interrupts += 1
            if self._run is not None and not self._ended:
                self._run.cancel() if self._interrupts == 1 else self._run.terminate()

    @property
    def stopped(self) -> bool:
        """Told to end at once."""
        return self._interrupts > 1

    def want_events(self) -> None:
        """From now on, for those who come late."""
        with self._lock:
            if self._run is not None:
                self._run.want_events()

    def wait(self) -> Dict[str, Any]:
        """The outcome. A KeyboardInterrupt cancels, is waited for, and then raised."""
        interrupted: Optional[BaseException] = None
        while True:
            try:
                while not self._ended:  # inside, because Python looks for signals where a loop begins anew
                    self._take_news()
                break
            except BaseException as error:  # noqa: BLE001 - also one of `hear`
                interrupted = error if interrupted is None else interrupted
                self.cancel()
        self._pool.close()
        _under_way.discard(self)
        with self._lock:
            run, self._run = self._run, None
        if interrupted is not None:
            raise interrupted
        assert run is not None
        with no_collection():
            return run.outcome()

    def settle(self) -> None:
        """For a caller that was interrupted outside of ``wait``: cancels, and waits all the same."""
        if self._run is not None:
            self.cancel()
            self.wait()

    def _take_news(self) -> None:
        assert self._run is not None
        self._poll.poll(_POLL_SECONDS * 1000)
        events, ended = self._run.take_news()
        with self._lock:
            self._ended = ended
        for fields in events:
            self.is_heard = True
            self._hear(make_event(fields, self._mask))
            self.is_heard = False

    def ended_within(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while not self._ended and time.monotonic() < end:
            time.sleep(0.01)
        return self._ended


# --- the end of the interpreter -------------------------------------------------------------------

_under_way: "weakref.WeakSet[RunningOperation]" = weakref.WeakSet()


def _finish_all() -> None:
    """Operations of threads that Python waits for are waited for; those of daemon threads are cancelled, and recorded,
    before Python goes. In a child that was forked meanwhile none of them would ever end."""
    if is_forked_child():
        return
    for operation in list(_under_way):
        while operation.is_waited_for and not operation.ended_within(_POLL_SECONDS):
            pass
    for _ in ("finish what is in flight", "stop at once"):
        left = [operation for operation in _under_way if not operation.ended_within(0)]
        for operation in left:
            operation.cancel()
        end = time.monotonic() + GRACE_SECONDS
        for operation in left:
            operation.ended_within(end - time.monotonic())
    _kingpost.close_gate(GRACE_SECONDS)


# Before the threads of executors are joined, on which programs register resources: those may wait for an operation.
# (That is what concurrent.futures uses, imported above for the order of the two.)
getattr(threading, "_register_atexit", atexit.register)(_finish_all)


# --- beside an event loop -------------------------------------------------------------------------


class Abandoned(Exception):
    """Within ``in_thread``."""


async def in_thread(
    function: Callable[[], T], cancel: Callable[[], None], is_held_up: Callable[[], bool] = lambda: False
) -> T:
    """Returns or raises the result of the function, which runs on a thread of its own.

    If the task is cancelled, ``cancel`` is called and the function waited for. After the grace ``cancel`` is called
    again, which stops it. After another grace the wait ends, whatever the user's code does on that thread; sooner if
    ``is_held_up`` says that a listener of events keeps it.
    """
    loop = asyncio.get_running_loop()
    # With the exception as a value: a future takes some for its own, such as CancelledError, and refuses StopIteration.
    done: "asyncio.Future[Tuple[Any, Optional[BaseException]]]" = loop.create_future()

    def settle(value: Any, error: Optional[BaseException]) -> None:
        if not done.cancelled():
            done.set_result((value, error))

    def work() -> None:
        value, failed = None, None
        try:
            value = function()
        except BaseException as error:  # noqa: BLE001 - it is the awaiting task's
            failed = error
        try:
            loop.call_soon_threadsafe(settle, value, failed)
        except RuntimeError:
            pass  # the loop was closed; nobody waits any more

    threading.Thread(target=work, name="kingpost-operation", daemon=True).start()
    cancelled = False
    cancels, patience = 0, 0.0
    while True:
        try:
            # Now and then the loop is woken: a notebook's interrupt cancels the task with nothing that would wake it.
            await asyncio.wait({done}, timeout=_POLL_SECONDS)
            if not done.done():
                left = patience - time.monotonic()
                if cancels > 1 and left < GRACE_SECONDS - _LISTENER_SECONDS and is_held_up():
                    raise Abandoned
                if cancelled and left < 0:
                    if cancels > 1:
                        raise Abandoned
                    cancel()
                    cancels, patience = cancels + 1, time.monotonic() + GRACE_SECONDS
                continue
        except Abandoned:
            done.cancel()
            raise asyncio.CancelledError from None
        except asyncio.CancelledError:
            cancelled = True
            cancel()
            cancels, patience = cancels + 1, time.monotonic() + GRACE_SECONDS
            continue
        value, failure = done.result()
        if cancelled:
            raise asyncio.CancelledError
        if failure is not None:
            raise failure
        return cast(T, value)


def twin_of(
    method: "Callable[Concatenate[S, P], R]",
) -> "Callable[[Callable[[S], None]], Callable[Concatenate[S, P], Coroutine[Any, Any, R]]]":
    """A method that only has a name becomes the other one for an event loop: the loop goes on meanwhile, and a cancelled
    task cancels the operation. (As a decorator, because type checkers need not guess what comes of one.)"""

    @wraps(method)  # so that help() and notebooks show the arguments
    async def twin(self: "S", /, *args: "P.args", **kwargs: "P.kwargs") -> "R":
        return await in_thread(partial(method, self, *args, **kwargs), self._interrupt, self._is_held_up)

    def named(declared: "Callable[[S], None]") -> "Callable[Concatenate[S, P], Coroutine[Any, Any, R]]":
        twin.__name__, twin.__qualname__ = declared.__name__, declared.__qualname__
        twin.__doc__ = f"``{method.__name__}`` as a coroutine."
        return twin

    return named
