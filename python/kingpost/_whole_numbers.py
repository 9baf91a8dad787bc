# SPDX-License-Identifier: Apache-2.0
"""Whole numbers of a program that properties cannot keep. Properties hold doubles, which would silently change some numbers
from 2**53 on. The extension refuses those of a provider. This module refuses those of a program, before the SDK writes them."""

from __future__ import annotations

import threading
from typing import Any

from ._sdk_callbacks import causes_of_run
from .accelerate.swap import Swaps

_EXACT = 2**53
_lock = threading.Lock()
_installed = False


def refuse_what_is_lost() -> None:
    """Installs the check for programs of this process. Other code that uses the SDK sees no change."""
    global _installed
    from pulumi.runtime import rpc

    with _lock:
        if _installed:
            return
        _installed = True
        swaps = Swaps()
        for name in ("serialize_properties", "serialize_property"):
            function = vars(rpc).get(name)
            if callable(function):
                swaps.add(function, _checking(function))
        swaps.put_in_place()


def _checking(function: Any) -> Any:
    def serialize(*args: Any, **kwargs: Any) -> Any:
        lost = _first_lost(args[0] if args else kwargs.get("inputs", kwargs.get("value")))
        if lost and causes_of_run.get() is not None:
            raise ValueError(f"the whole number {lost} has more digits than numbers of properties keep (2**53); pass it as a text")
        return function(*args, **kwargs)

    return serialize


def _first_lost(value: Any) -> int:
    """0 if there is none. Only what stands in lists and dicts: what an output holds comes by itself."""
    kind = type(value)
    if kind is int:
        if -_EXACT <= value <= _EXACT:
            return 0
        try:
            return 0 if int(float(value)) == value else value
        except OverflowError:
            return value  # type: ignore[no-any-return]
    if kind is dict:
        value = value.values()
    elif kind is not list and kind is not tuple:
        return 0
    for item in value:
        lost = _first_lost(item)
        if lost:
            return lost
    return 0
