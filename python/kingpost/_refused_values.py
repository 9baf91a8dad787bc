# SPDX-License-Identifier: Apache-2.0
"""Values of a program that properties cannot keep. The extension refuses those of a provider. This module refuses those of a
program before the SDK writes them, and names the property: some would change silently, others fail far away from it."""

from __future__ import annotations

import enum
import numbers
import threading
from typing import Any, List, NamedTuple, Optional, Union

from ._callback import clean
from ._sdk_callbacks import causes_of_run
from .accelerate.swap import Swaps
from .values import Secret, Unknown

_EXACT = 2**53  # properties hold doubles, which change some whole numbers from here on
_DEPTH_MAX = 300  # what the SDK's recursion, and that of the module, is sure to come through
_lock = threading.Lock()
_installed = False


def refuse_what_is_lost() -> None:
    """Installs the checks for programs of this process. Other code that uses the SDK sees no change."""
    global _installed
    from pulumi.runtime import rpc, stack

    with _lock:
        if _installed:
            return
        _installed = True
        swaps = Swaps()
        for name in ("serialize_properties", "serialize_property"):
            function = vars(rpc).get(name)
            if callable(function):
                swaps.add(function, _checking(function))
        exported = vars(stack).get("massage")
        if callable(exported):
            swaps.add(exported, _checking_exports(exported))
        swaps.put_in_place()


def _checking(function: Any) -> Any:
    def serialize(*args: Any, **kwargs: Any) -> Any:
        found = _fault_of(args[0] if args else kwargs.get("inputs", kwargs.get("value")))
        if found is not None and causes_of_run.get() is not None:
            raise ValueError(str(found))
        return function(*args, **kwargs)

    return serialize


def _checking_exports(massage: Any) -> Any:
    """The SDK makes dicts of what it does not know, by the attributes. Of most of these it would be an empty one."""

    def checked(attr: Any, *args: Any, **kwargs: Any) -> Any:
        if causes_of_run.get() is not None:
            if isinstance(attr, (Secret, Unknown)):
                raise ValueError(_foreign(attr))
            if isinstance(attr, (numbers.Number, enum.Enum)) and not isinstance(attr, str) and not _is_plain(attr):
                plain = "its .value" if isinstance(attr, enum.Enum) else "int(...), float(...) or str(...) of it"
                raise ValueError(f"a value of type {type(attr).__name__} cannot be exported; pass {plain}")
        return massage(attr, *args, **kwargs)

    return checked


def _is_plain(value: Any) -> bool:
    return type(value) in (bool, int, float)


class Fault(NamedTuple):
    text: str
    path: List[Union[str, int]]  # from the inside out

    def __str__(self) -> str:
        path = "".join(f"[{part}]" if isinstance(part, int) else f".{clean(part)}" for part in reversed(self.path)).lstrip(".")
        return f"{path}: {self.text}" if 0 < len(self.path) < _DEPTH_MAX else self.text


def _fault_of(value: Any, depth: int = 0) -> Optional[Fault]:
    """The first fault, if there is one. Only what stands in lists and dicts: what an output holds comes by itself."""
    kind = type(value)
    if kind is int:
        return None if _is_exact(value) else _fault(f"the whole number {_short(value)} has more digits than numbers of properties "
                                                    "keep (2**53); pass it as a text")
    if kind is str:
        return None if value.isascii() or clean(value, len(value)) == value else _fault(_SURROGATE.format(clean(value)[:100]))
    if kind is dict or kind is list or kind is tuple:
        if depth > _DEPTH_MAX:
            return _fault(f"the value is nested more than {_DEPTH_MAX} levels deep, or holds itself")
        for key, item in value.items() if kind is dict else enumerate(value):
            found = _fault_of_key(key) if kind is dict else None
            if found is not None:
                return found
            found = _fault_of(item, depth + 1)
            if found is not None:
                found.path.append(key)
                return found
        return None
    return _fault(_foreign(value)) if isinstance(value, (Secret, Unknown)) else None


def _fault_of_key(key: Any) -> Optional[Fault]:
    if not isinstance(key, str):
        return _fault(f"the keys of a dict must be texts, not {type(key).__name__}")
    return None if key.isascii() else _fault_of(str(key))


def _fault(text: str) -> Fault:
    return Fault(text, [])


_SURROGATE = "the text '{}' has a lone surrogate, as a file name has that is not UTF-8, and cannot be written"


def _foreign(value: Union[Secret, Unknown]) -> str:
    if isinstance(value, Secret):
        return "a kingpost.Secret is for settings and providers; in a program write pulumi.Output.secret(...)"
    return "kingpost.UNKNOWN is for results and providers; a program cannot pass it"


def _is_exact(value: int) -> bool:
    if -_EXACT <= value <= _EXACT:
        return True
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def _short(value: int) -> str:
    """Python writes no numbers of more than 4300 digits."""
    return str(value) if value.bit_length() < 256 else f"of {value.bit_length()} bits"
