# SPDX-License-Identifier: Apache-2.0
"""The search for unknown values, without a call for each scalar.

Every value of every output is searched. The results are equal because texts, numbers, booleans and None are never
unknown and hold nothing. A value of any other type than those, dict and list goes to the SDK's function.
"""

from __future__ import annotations

from typing import Any, List, Set

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.runtime.rpc:contains_unknowns": ("6eda5cb4084419cf", "932ad0571fd0833f", "1f1f335b6f48b960"),
    "pulumi.runtime.known_types:is_unknown": ("026b5931b5fd0580", "d9207fa30e8e9886", "e80e80f526585c92"),
}

_SCALARS = frozenset((str, int, float, bool, type(None)))


def install(swaps: Swaps) -> None:
    from pulumi.runtime import rpc

    original: Any = rpc.contains_unknowns

    def contains_unknowns(val: Any) -> bool:
        if type(val) in _SCALARS:
            return False
        waiting: List[Any] = [val]
        seen: Set[int] = set()
        while waiting:
            value = waiting.pop()
            kind = type(value)
            if kind in _SCALARS or id(value) in seen:
                continue
            if kind is dict:
                waiting.extend(value.values())
            elif kind is list:
                waiting.extend(value)
            elif original(value):
                return True
            seen.add(id(value))
        return False

    swaps.add(original, contains_unknowns)
