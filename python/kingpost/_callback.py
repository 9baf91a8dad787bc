# SPDX-License-Identifier: Apache-2.0
"""Calls of the user's code: providers, policies, hooks, transforms, programs and stores.

Every such call is made within one of the functions here, so that none can hang an operation or be ignored. That holds
whatever it raises: SystemExit, an exception whose ``__str__`` raises, a text that is no Unicode.
"""

from __future__ import annotations

import builtins
import inspect
import os
import threading
import traceback
from types import TracebackType
from typing import Any, Awaitable, Callable, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, cast

T = TypeVar("T")
E = TypeVar("E", bound=BaseException)

#: How long code of the user has to return once its operation is given up, wherever it runs.
GRACE_SECONDS = 5.0

_LENGTH_MAX = 64 * 1024  # of a text that is told
_WIRE_LENGTH_MAX = 2000  # of one that fails a call of gRPC, which takes 8 KiB with what else is told, three for a letter
_WIRE_FRAMES = 8  # of a traceback, from either end
_COMPARED = 1000  # characters of a text that is looked for in another
# Their names tell nothing that the text does not.
_UNNAMED = (Exception, RuntimeError, NotImplementedError)

_HERE = os.path.dirname(os.path.realpath(__file__))


# --- texts ----------------------------------------------------------------------------------------


def clean(text: str, length_max: int = _LENGTH_MAX) -> str:
    """The text with what is no Unicode (a lone surrogate, as in the name of a file that is not UTF-8) as an escape."""
    plain = str.encode(text, "utf-8", "backslashreplace").decode("utf-8")
    if len(plain) <= length_max:
        return plain
    return f"{plain[:length_max]} ... ({len(plain) - length_max} more characters)"


def for_wire(text: str) -> str:
    return clean(text, _WIRE_LENGTH_MAX)


def told(error: BaseException) -> str:
    """The text of an exception, for people: never empty, never itself an exception. As the last line of a traceback has
    it, "KeyError: 'size'", but for kinds that say nothing."""
    kind, name = type(error), name_of(error)
    try:
        text = clean(str(error))
    except BaseException as failed:  # noqa: BLE001 - of the user's __str__
        return f"{name} (its text cannot be read: __str__ raised {name_of(failed)})"
    if not text.strip():
        return name
    return text if any(kind is one for one in _UNNAMED) or _is_ours(kind) else f"{name}: {text}"


def name_of(error: BaseException) -> str:
    """The name of its class, also where a metaclass has another idea of it."""
    return clean(type.__dict__["__name__"].__get__(type(error)))


def is_a(error: BaseException, *kinds: type) -> bool:
    """``isinstance`` of an exception, which may have a ``__class__`` of its own."""
    return issubclass(type(error), kinds)


def _is_ours(kind: type) -> bool:
    """Exceptions of this package, and of the SDK for what programs do wrong, are sentences of their own."""
    modules = (base.__dict__.get("__module__") for base in type.mro(kind))
    return any(str(module).partition(".")[0] in ("kingpost", "pulumi") for module in modules)


# --- tracebacks -----------------------------------------------------------------------------------


def _is_machinery(file: str) -> bool:
    """A frame that is not the user's: of this package, of the SDK, or of the event loop between them."""
    library = os.path.dirname(inspect.__file__)
    folders = (_HERE, os.path.join(library, "asyncio"), os.path.join(library, "concurrent"), *_sdk_folders())
    path = os.path.realpath(file)
    return any(path.startswith(os.path.realpath(folder) + os.sep) for folder in folders)


def _sdk_folders() -> Tuple[str, ...]:
    import sys

    files = (getattr(sys.modules.get(name), "__file__", None) for name in ("pulumi", "grpc", "google.protobuf"))
    return tuple(os.path.dirname(file) for file in files if file)


def _own_frames(error: BaseException) -> List[Tuple[Any, int, int]]:
    kept: List[Tuple[Any, int, int]] = []
    trace = _part(error, "__traceback__")
    while trace is not None:
        if not _is_machinery(trace.tb_frame.f_code.co_filename):
            kept.append((trace.tb_frame, trace.tb_lasti, trace.tb_lineno))
        trace = trace.tb_next
    return kept


def _part(error: BaseException, name: str) -> Any:
    """Reads an attribute of BaseException itself, without the properties and ``__getattribute__`` of the error's class."""
    return getattr(BaseException, name).__get__(error)


def is_from_own_code(error: BaseException) -> bool:
    """False for what this package or the SDK found by themselves: their frames tell a user nothing."""
    return any(_own_frames(one) for one in _chain(error))


def _chain(error: BaseException) -> List[BaseException]:
    """The exception, those behind it, and those of a group: all that a traceback shows."""
    left: List[Optional[BaseException]] = [error]
    seen: List[BaseException] = []
    while left:
        one = left.pop()
        if one is not None and not any(one is other for other in seen):
            seen.append(one)
            left += [_part(one, "__cause__"), _part(one, "__context__"), *_members(one)]
    return seen


def _members(error: BaseException) -> Sequence[BaseException]:
    """Of an ExceptionGroup, which Python has from 3.11 on."""
    group = getattr(builtins, "BaseExceptionGroup", None)
    return () if group is None or not is_a(error, group) else group.exceptions.__get__(error)


def is_readable(error: BaseException) -> bool:
    """False for an exception whose class refuses what event loops and tracebacks ask of each: a loop would never end its
    task, and no traceback would be shown."""
    try:
        for one in _chain(error):
            if not isinstance(one, BaseException) or one.__class__ is not type(one):
                return False
            # As tracebacks do.
            if one:
                getattr(one, "__notes__", None)
            for name in ("__traceback__", "__cause__", "__context__", "__suppress_context__"):
                getattr(one, name)
    except BaseException:  # noqa: BLE001 - of the class
        return False
    return True


def readable(error: BaseException) -> BaseException:
    """The exception, or one with its text and traceback in place of one that refuses to be asked."""
    if is_readable(error):
        return error
    stand_in = CallbackFailed(told(error))
    return stand_in.with_traceback(_part(error, "__traceback__"))


def without_machinery(error: E) -> E:
    """The exception with a traceback of the user's frames alone, if there are any."""
    kept = _own_frames(error)
    if kept:
        BaseException.with_traceback(error, _rebuilt(kept))
    return error


def _rebuilt(frames: List[Tuple[Any, int, int]]) -> Optional[TracebackType]:
    rebuilt: Optional[TracebackType] = None
    for frame, instruction, line in reversed(frames):
        rebuilt = TracebackType(rebuilt, frame, instruction, line)
    return rebuilt


def _trace_for_wire(error: BaseException) -> Optional[TracebackType]:
    """The first and last of the user's frames: the SDK sends them as text, and a call of gRPC does not take many."""
    frames = _own_frames(error)
    return _rebuilt(frames if len(frames) <= 2 * _WIRE_FRAMES else frames[:_WIRE_FRAMES] + frames[-_WIRE_FRAMES:])


def trace_of(error: BaseException) -> str:
    """The traceback as text, for where an exception itself cannot go."""
    without_machinery(error)
    try:
        trace = _part(error, "__traceback__")
        return clean("".join(traceback.format_exception(type(error), error, trace)).rstrip())
    except BaseException:  # noqa: BLE001 - of a __str__ somewhere in the chain, in older versions of Python
        return clean("".join(traceback.format_tb(_part(error, "__traceback__"))) + told(error))


def hint(error: BaseException, text: str) -> None:
    """A note below the exception's text, as tracebacks show it from Python 3.11 on."""
    notes = getattr(error, "__notes__", [])
    if text not in notes:
        setattr(error, "__notes__", [*notes, text])  # noqa: B010 - unknown to type checkers before Python 3.11


# --- where a failure came from --------------------------------------------------------------------


class Raised(NamedTuple):
    error: BaseException
    text: str  # as it was told
    urn: str  # of the resource that it was about, or ""
    by: str  # "provider", "policy", "hook", "transform", "migration", "program", "store"
    name: str  # of the policy or hook, or ""

    def is_secret(self, mask: Callable[[str], str]) -> bool:
        """True if its text, or that of one behind it, holds what is not shown: tracebacks would show it again below ours."""
        return any(mask(text) != text for one in _chain(self.error) for text in (told(one), *_notes(one)))


def _notes(error: BaseException) -> List[str]:
    notes = getattr(error, "__notes__", None)
    return [clean(note) for note in notes if isinstance(note, str)] if isinstance(notes, (list, tuple)) else []


class Causes:
    """The exceptions of one operation's callbacks, by what became of them. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._raised: List[Raised] = []

    def note(self, error: BaseException, by: str, urn: str = "", name: str = "") -> str:
        """The text with which the failure goes on its way."""
        text = told(error)
        with self._lock:
            self._raised.append(Raised(without_machinery(readable(error)), text, urn, by, name))
        return text

    def clear(self) -> None:
        with self._lock:
            self._raised.clear()

    def of(self, message: str, urn: str, mask: Callable[[str], str] = str) -> Optional[Raised]:
        """The exception behind a failure whose secrets are masked: with its text, best of the resource that it names."""
        with self._lock:
            raised = list(self._raised)

        def is_told(one: Raised) -> bool:
            return mask(one.text)[:_COMPARED] in message

        def is_of(one: Raised) -> bool:
            return bool(urn) and one.urn == urn

        for fits in (lambda one: is_of(one) and is_told(one), is_told):
            for one in raised:
                if fits(one):
                    return one
        return None


class Carried(Exception):
    """Carries an error of the user's code through the SDK, which reads texts and lets only an Exception pass."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(told(error))
        self.error = error


# --- functions that the SDK calls -----------------------------------------------------------------


class CallbackFailed(Exception):
    """Stands for what a hook or transform raised: the SDK tells its text, which is never empty, and it is an Exception,
    for which an event loop does not end."""


def guarded(function: Callable[[Any], Any], causes: Causes, by: str, name: str = "") -> Callable[[Any], Any]:
    """A hook, transform or state migration as the SDK is given it."""
    name = name or getattr(function, "__name__", by)  # partial functions and objects have none

    def failed(error: BaseException, args: Any) -> CallbackFailed:
        if is_a(error, CallbackFailed):  # the same function was guarded by the stack already
            return cast(CallbackFailed, error)
        # A transform has no URN yet.
        text = causes.note(error, by, str(getattr(args, "urn", "") or ""), name)
        return CallbackFailed(for_wire(text)).with_traceback(_trace_for_wire(error))

    async def later(result: Awaitable[Any], args: Any) -> Any:
        try:
            return await result
        except BaseException as error:  # noqa: BLE001
            raise failed(error, args) from None

    def call(args: Any) -> Any:
        try:
            result = function(args)
        except BaseException as error:  # noqa: BLE001
            raise failed(error, args) from None
        return later(result, args) if inspect.isawaitable(result) else result

    call.__name__ = name
    return call
