# SPDX-License-Identifier: Apache-2.0
"""Puts replacements into the SDK's modules."""

from __future__ import annotations

import sys
from typing import Any, Dict, Tuple


class Swaps:
    """Functions and what replaces them, put into place in one pass over the SDK's modules: many of them import each
    other's functions by name, and each such name must change."""

    def __init__(self) -> None:
        self._by_id: Dict[int, Tuple[Any, Any]] = {}

    def add(self, original: Any, replacement: Any) -> None:
        # With this the guard and a debugger find the SDK's own function.
        replacement.__wrapped__ = original
        self._by_id[id(original)] = (original, replacement)

    def put_in_place(self) -> None:
        modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "pulumi"]
        for module in modules:
            names = vars(module)
            for name, value in list(names.items()):
                swap = self._by_id.get(id(value))
                if swap is not None:
                    names[name] = swap[1]
