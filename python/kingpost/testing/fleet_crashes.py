# SPDX-License-Identifier: Apache-2.0
"""crash_fleet_anywhere: runs a fleet once for each moment at which the process could die, and checks that the next run
repairs all of its stacks.

A moment is before or after a call of a provider, of any of the stacks. At the death the whole store is taken as it is: what is
done, what was only begun, and what nobody has come to. From then on no call reaches a provider. Stacks run one at a time,
those that wait for others aside, so that each run comes to the same moments.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Union

from .._checked import mapped
from ..errors import Error
from ..fleet import Fleet
from ..fleet_result import FleetResult
from ..provider import Provider
from ..stack import Stack
from .crashes import left_over
from .fake_provider import FakeProvider
from .mortal import Mortal, ProcessDied

__tracebackhide__ = True  # a failing test shows the user's lines

_STACK = "test"
_MEMORY = "/dev/shm"  # nothing has to survive this process, so nothing has to wait for a disk
_LOCKS = "locks"  # those of a process that is dead hold nobody up; this one lives

Program = Callable[[], Any]
Programs = Mapping[str, Program]


@dataclass(frozen=True)
class FleetCrashReport:
    """The moments that were tried, and what the next run did not repair at each of those where something was left."""

    points: List[str] = field(default_factory=list)
    problems: Dict[str, List[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.problems:
            return f"{len(self.points)} points were tried; the next run repaired all of them"
        lines = [f"{len(self.points)} points were tried; at {len(self.problems)} the next run did not repair all:"]
        for point, problems in self.problems.items():
            lines.append(f"  the process dies {point}:")
            lines += [f"    - {problem}" for problem in problems]
        return "\n".join(lines)


def crash_fleet_anywhere(
    programs: Programs,
    *,
    operation: Literal["up", "destroy"] = "up",
    providers: Optional[Callable[[], Mapping[str, Provider]]] = None,
    before: Optional[Programs] = None,
    after: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
    check: bool = True,
) -> FleetCrashReport:
    """Deploys the programs, dies at each moment, deploys them again. Raises AssertionError if something was not repaired.

    programs:  project -> program; their stacks are called "test"
    operation: "destroy" deploys the programs without a crash, and dies at each moment of the destroy that follows
    providers: makes fresh providers, by package ("*" serves the others), for each stack; by default a FakeProvider
    before:    programs that were deployed before, without a crash: then ``programs`` are a change of them
    after:     as of kingpost.Fleet
    check:     False answers the report and raises nothing

    The next run has repaired all if it succeeds, if a preview after it has nothing to do for any stack, and if the clouds
    equal the records. Then no resource was made twice and left behind, and none is recorded that is gone.
    """
    __tracebackhide__ = True
    if operation not in ("up", "destroy"):
        raise ValueError(f"operation must be up or destroy, not {operation!r}")
    if before is not None and operation != "up":
        raise TypeError("before is for up; with operation='destroy' the programs are deployed first")
    folder = Path(tempfile.mkdtemp(prefix="kingpost-crash-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None))
    try:
        earlier = programs if operation == "destroy" else before
        report = _Crashes(folder, programs, earlier, operation, providers or _fakes, after).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if check and report.problems:
        raise AssertionError(str(report))
    return report


def _fakes() -> Mapping[str, Provider]:
    return {"*": FakeProvider()}


class _Life:
    """One run of a process that works on all stacks, and the moment at which it dies."""

    def __init__(self, store: Path, kept: Path, dies_at: Optional[int] = None) -> None:
        self._store = store
        self._kept = kept
        self._dies_at = dies_at
        self._lock = threading.Lock()
        self.dead: bool = False
        self.moments: List[str] = []

    def moment(self, where: str) -> None:
        with self._lock:
            if self.dead:
                raise ProcessDied(where)
            number = len(self.moments)
            self.moments.append(where)
            if number == self._dies_at:
                self.dead = True
                shutil.copytree(self._store, self._kept, ignore=shutil.ignore_patterns(_LOCKS))
                raise ProcessDied(where)


class _OfStack:
    def __init__(self, life: _Life, project: str) -> None:
        self._life = life
        self._project = project

    def moment(self, where: str) -> None:
        self._life.moment(f"{where} of {self._project}")


class _Crashes:
    def __init__(
        self,
        folder: Path,
        programs: Programs,
        before: Optional[Programs],
        operation: str,
        make_providers: Callable[[], Mapping[str, Provider]],
        after: Optional[Mapping[str, Union[str, Sequence[str]]]],
    ) -> None:
        self._store, self._kept = folder / "store", folder / "kept"
        self._programs = mapped("programs", "projects and their programs", programs)
        self._before = before
        self._operation = operation
        self._make_providers = make_providers
        self._store.mkdir()
        # The same stacks for all runs: their keys are derived once.
        self._stacks: Dict[str, Stack] = {
            project: Stack(
                project, _STACK, program, backend=f"file://{self._store}", passphrase="crash", parallel=1
            )
            for project, program in self._programs.items()
        }
        self._fleet = Fleet(list(self._stacks.values()), after=after, parallel_stacks=1)

    def run(self) -> FleetCrashReport:
        life = _Life(self._store, self._kept)
        self._run_first(life)
        problems: Dict[str, List[str]] = {}
        for number, where in enumerate(life.moments):
            found = self._crash_at(number)
            if found:
                problems[where] = found
        return FleetCrashReport(life.moments, problems)

    def _run_first(self, life: _Life) -> Dict[str, Dict[str, Mortal]]:
        """The run that dies, or not: its providers by project and package."""
        for folder in (self._store, self._kept):
            shutil.rmtree(folder, ignore_errors=True)
        self._store.mkdir()
        mortals: Dict[str, Dict[str, Mortal]] = {}
        for project, stack in self._stacks.items():
            mortals[project] = {package: Mortal(made) for package, made in self._make_providers().items()}
            stack.providers = dict(mortals[project])
        if self._before is not None:
            self._take(self._before)
            self._fleet.up(skip_preview=True)
        self._take(self._programs)
        self._give(mortals, life)
        try:
            self._operate()
        except Error:
            if not life.dead:
                raise
        finally:
            self._give(mortals, None)
        return mortals

    def _take(self, programs: Programs) -> None:
        for project, stack in self._stacks.items():
            stack.program = programs.get(project, _nothing)

    @staticmethod
    def _give(mortals: Dict[str, Dict[str, Mortal]], life: Optional[_Life]) -> None:
        for project, of_packages in mortals.items():
            for mortal in of_packages.values():
                mortal.life = None if life is None else _OfStack(life, project)

    def _operate(self) -> FleetResult:
        return self._fleet.destroy() if self._operation == "destroy" else self._fleet.up()

    def _crash_at(self, number: int) -> List[str]:
        life = _Life(self._store, self._kept, dies_at=number)
        mortals = self._run_first(life)
        if not life.dead:
            return ["the process did not come to that moment: the programs do not do the same in each run"]
        shutil.rmtree(self._store)
        shutil.copytree(self._kept, self._store)
        try:
            self._operate()
            look = self._fleet.destroy(preview=True) if self._operation == "destroy" else self._fleet.preview()
        except Error as error:
            return [f"the next run failed: {error}"]
        return [
            f"{project}: {problem}"
            for project in self._stacks
            for problem in left_over(look[f"{project}/{_STACK}"], mortals[project])
        ]


def _nothing() -> None:
    """The program of a project that did not exist before."""
