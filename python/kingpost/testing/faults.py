# SPDX-License-Identifier: Apache-2.0
"""Faults of a resource: by its name, or by chance from a seed that repeats it."""

from __future__ import annotations

import fnmatch
import random
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence

#: Every kind of fault:
#:
#:     fail     nothing is done, and the call fails
#:     delay    it takes some seconds of simulated time; a resource whose timeout is shorter fails
#:     die      it is done, and the provider dies before it answers: this call and all later ones fail until ``restart``
#:     partial  it is done, but does not work yet (InitializationFailed)
#:     lie      it is done, and the answer has other outputs than what is there
#:     forget   it is done and answered, and then it is gone
KINDS = ("fail", "delay", "die", "partial", "lie", "forget")
_CHANGES = ("create", "update")
_APPLIES: Dict[str, Sequence[str]] = {
    **dict.fromkeys(("fail", "delay", "die"), ("create", "update", "delete", "read")),
    **dict.fromkeys(("partial", "forget"), _CHANGES),
    "lie": (*_CHANGES, "read"),
}


@dataclass
class Fault:
    """One of KINDS for resources whose name is like ``name``, in calls of ``method`` ("" is any), ``times`` times."""

    kind: str
    name: str = "*"
    method: str = ""
    times: Optional[int] = 1  #: None is always
    message: str = ""
    seconds: float = 0.0  #: of a delay
    outputs: Dict[str, Any] = field(default_factory=dict)  #: of a lie
    used: int = field(default=0, init=False)  #: how often it has happened

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"there is no fault {self.kind!r}; there are {', '.join(KINDS)}")
        if self.method and self.method not in _APPLIES[self.kind]:
            raise ValueError(f"{self.method!r} cannot {self.kind}; {', '.join(_APPLIES[self.kind])} can")

    def applies(self, method: str, name: str) -> bool:
        if self.times == 0 or method not in _APPLIES[self.kind] or self.method not in ("", method):
            return False
        return fnmatch.fnmatchcase(name, self.name)


class Faults:
    """Those that wait for their call. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._planned: List[Fault] = []
        self._seed: Optional[int] = None
        self._rate = 0.0
        self._kinds: Sequence[str] = KINDS
        self._asked: Dict[str, int] = {}

    def add(self, fault: Fault) -> None:
        with self._lock:
            self._planned.append(fault)

    def by_seed(self, seed: int, rate: float, kinds: Sequence[str]) -> None:
        for kind in kinds:
            Fault(kind)  # is one
        self._seed, self._rate, self._kinds = seed, rate, kinds

    def unused(self) -> List[Fault]:
        """Planned, and no call has come to them."""
        with self._lock:
            return [fault for fault in self._planned if not fault.used]

    def clear(self) -> None:
        with self._lock:
            self._planned.clear()
            self._seed = None

    def take(self, method: str, name: str) -> Optional[Fault]:
        """The fault of this call, if there is one: a planned one, else by the seed."""
        with self._lock:
            for fault in self._planned:
                if fault.applies(method, name):
                    fault.used += 1
                    if fault.times is not None:
                        fault.times -= 1
                    return fault
            return self._by_chance(method, name)

    def _by_chance(self, method: str, name: str) -> Optional[Fault]:
        """By seed, resource and how often it was asked for, so that the order in which threads call does not matter."""
        if self._seed is None:
            return None
        call = f"{method} {name}"
        self._asked[call] = self._asked.get(call, 0) + 1
        chance = random.Random(f"{self._seed} {call} {self._asked[call]}")
        if chance.random() >= self._rate:
            return None
        kinds = [kind for kind in self._kinds if method in _APPLIES[kind]]
        return Fault(chance.choice(kinds), seconds=chance.choice((1, 60, 3600))) if kinds else None
