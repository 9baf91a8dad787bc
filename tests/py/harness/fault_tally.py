# SPDX-License-Identifier: Apache-2.0
"""Counts faults and their outcomes."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

OUTCOMES = ("lost", "orphan", "duplicated", "ghost", "refused", "stuck", "hung", "crashed", "left")


@dataclass
class FaultTally:
    tried: Counter = field(default_factory=Counter)
    found: dict[str, Counter] = field(default_factory=lambda: defaultdict(Counter))
    stories: list[str] = field(default_factory=list)

    def note(self, fault: str, where: str, complaints: list[str]) -> None:
        self.tried[fault] += 1
        for complaint in complaints:
            self.found[fault][complaint.partition(":")[0]] += 1
            self.stories.append(f"{where}: {complaint}")

    def table(self) -> str:
        lines = ["fault".ljust(28) + "".join(word.rjust(11) for word in ("tried", *OUTCOMES))]
        for fault, tried in self.tried.items():
            counts = (self.found[fault][word] for word in OUTCOMES)
            lines.append(fault.ljust(28) + f"{tried:11}" + "".join(f"{n:11}" for n in counts))
        return "\n".join(lines)
