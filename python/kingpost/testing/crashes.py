# SPDX-License-Identifier: Apache-2.0
"""crash_anywhere: runs a program once for each point at which the process could die, and checks that the next run repairs
all.

    program    register ─▶ │ begin recorded │ ─▶ provider asked │ and done │ ─▶ end recorded │ ─▶ ... ─▶ saved
                           ▲                ▲                   ▲          ▲                 ▲
                           the process may die at each of these: the journal holds what was recorded by then, and the
                           cloud what was done by then

Each point is a run of its own: fresh providers, a fresh folder. At the point the journal is taken as it is, cut after the
record that was the last one, and from then on no call reaches the provider. Then the next run finds both.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Literal, Mapping, NamedTuple, Optional, Set, Tuple

from ..errors import Error
from ..journal import Journal
from ..provider import Provider
from ..result import Result
from ..stack import Stack
from .fake_provider import FakeProvider
from .mortal import Life, Mortal

_PROJECT, _STACK = "crash", "anywhere"

__tracebackhide__ = True  # a failing test shows the user's lines

_SAVED = "when the state was saved and the journal not yet removed"
_MEMORY = "/dev/shm"  # nothing has to survive this process, so nothing has to wait for a disk

Program = Callable[[], Any]
Providers = Mapping[str, Provider]


@dataclass(frozen=True)
class CrashPoint:
    """Where the process died: the moment of the provider's call, and how many entries the journal had."""

    moment: int
    entries: int
    where: str  #: "before create db", "after create db", "at the end", "when the state was saved"

    def __str__(self) -> str:
        return f"{self.where}, with {self.entries} records in the journal"


@dataclass(frozen=True)
class CrashReport:
    """The points that were tried, and what the next run did not repair at each of those where something was left."""

    points: List[CrashPoint] = field(default_factory=list)
    problems: Dict[CrashPoint, List[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.problems:
            return f"{len(self.points)} points were tried; the next run repaired all of them"
        lines = [f"{len(self.points)} points were tried; at {len(self.problems)} the next run did not repair all:"]
        for point, problems in self.problems.items():
            lines.append(f"  the process dies {point}:")
            lines += [f"    - {problem}" for problem in problems]
        return "\n".join(lines)


class _Operation(NamedTuple):
    """The process that dies, the next run, and the run that must then have nothing to do."""

    dies: Callable[[Stack], Result]
    again: Callable[[Stack, bool], Result]
    look: Callable[[Stack], Result]


_OPERATIONS: Mapping[str, _Operation] = {
    "up": _Operation(lambda s: s.up(), lambda s, refresh: s.up(refresh=refresh), lambda s: s.preview()),
    "refresh": _Operation(lambda s: s.refresh(), lambda s, _: s.refresh(), lambda s: s.refresh(preview=True)),
    "destroy": _Operation(
        lambda s: s.destroy(), lambda s, refresh: s.destroy(refresh=refresh), lambda s: s.destroy(preview=True)
    ),
}


def crash_anywhere(
    program: Program,
    *,
    operation: Literal["up", "refresh", "destroy"] = "up",
    providers: Optional[Callable[[], Providers]] = None,
    before: Optional[Program] = None,
    drift: Optional[Callable[[Providers], object]] = None,
    config: Optional[Mapping[str, Any]] = None,
    refresh: bool = False,
    check: bool = True,
) -> CrashReport:
    """Deploys ``program``, dies at each point, deploys it again. Raises AssertionError if something was not repaired.

    operation: "refresh" and "destroy" deploy ``program`` without a crash, and die at each point of the refresh or the
               destroy that follows; the next run is another one
    providers: makes fresh providers, by package ("*" serves the others), each with a cloud of its own that is empty; by
               default a FakeProvider
    before:    a program that was deployed before, without a crash: then ``program`` is a change of it
    drift:     called with the providers of a run right before what dies, to change behind the engine's back what exists
    refresh:   the next run looks at the resources first, as ``up --refresh`` does
    check:     False answers the report and raises nothing

    The next run has repaired all if it succeeds, if a preview after it has nothing to do, and if the cloud equals the
    record. No resource was made twice and left behind, and none is recorded that is gone. After a destroy nothing
    exists, and nothing is recorded. The program is run a few times for each point, one resource at a time. """
    __tracebackhide__ = True
    if operation not in _OPERATIONS:
        raise ValueError(f"operation must be one of {', '.join(_OPERATIONS)}, not {operation!r}")
    if before is not None and operation != "up":
        raise TypeError(f"before is for up; crash_anywhere(program, operation={operation!r}) deploys the program first")
    folder = Path(tempfile.mkdtemp(prefix="kingpost-crash-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None))
    try:
        case = _Case(program, _OPERATIONS[operation], providers or _fakes, before, drift, refresh)
        if operation != "up":
            case = case._replace(before=program)
        report = _Crashes(folder, case, config).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if check and report.problems:
        raise AssertionError(str(report))
    return report


def _fakes() -> Providers:
    return {"*": FakeProvider()}


class _Case(NamedTuple):
    program: Program
    operation: _Operation
    make_providers: Callable[[], Providers]
    before: Optional[Program]
    drift: Optional[Callable[[Providers], object]]
    refresh: bool


class _Crashes:
    def __init__(self, folder: Path, case: _Case, config: Optional[Mapping[str, Any]]) -> None:
        self._folder = folder
        self._case = case
        # One stack for all runs: its key is derived once.
        self._stack = Stack(
            _PROJECT, _STACK, case.program, backend=f"file://{folder}", passphrase="crash", config=config, parallel=1
        )
        self._journal = folder / ".pulumi" / "journals" / _PROJECT / f"{_STACK}.journal"
        self._state = folder / ".pulumi" / "stacks" / _PROJECT / f"{_STACK}.json"

    def run(self) -> CrashReport:
        points = self._points()
        problems: Dict[CrashPoint, List[str]] = {}
        for point in points:
            found = self._crash_at(point)
            if found:
                problems[point] = found
        return CrashReport(points, problems)

    def _points(self) -> List[CrashPoint]:
        """From one run that does not die: what the journal held at each moment, and at its end."""
        life = Life(self._journal)
        self._run_first(life)
        points: List[CrashPoint] = []
        known = 0
        for moment, (where, entries) in enumerate([*life.moments, ("at the end", life.entries())]):
            # The record since the last moment: the cloud has not changed meanwhile, unless it just did.
            first = entries if where.startswith("after") else min(known + 1, entries)
            points += [CrashPoint(moment, count, where) for count in range(first, entries + 1)]
            known = entries
        return [*points, CrashPoint(len(life.moments), known, _SAVED)]

    def _run_first(self, life: Life) -> Tuple[Dict[str, Mortal], Optional[bytes]]:
        """The run that dies, or not: its providers, and the checkpoint of before it."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        made = self._case.make_providers()
        mortals = {package: Mortal(provider) for package, provider in made.items()}
        self._stack.providers = dict(mortals)
        if self._case.before is not None:
            self._stack.program = self._case.before
            self._stack.up()
        if self._case.drift is not None:
            self._case.drift(made)
        checkpoint = self._state.read_bytes() if self._state.exists() else None
        for mortal in mortals.values():
            mortal.life = life
        self._stack.program = self._case.program
        try:
            self._case.operation.dies(self._stack)
        except Error:
            if not life.dead:
                raise
        finally:
            life.end()
            for mortal in mortals.values():
                mortal.life = None
        return mortals, checkpoint

    def _put_back(self, checkpoint: Optional[bytes]) -> None:
        self._state.unlink(missing_ok=True)
        if checkpoint is not None:
            self._state.write_bytes(checkpoint)

    def _leave_journal(self, written: bytes, entries: int) -> None:
        self._journal.unlink(missing_ok=True)
        if not written:
            return  # it died before there was one
        journal = Journal.load(written)
        self._journal.parent.mkdir(parents=True, exist_ok=True)
        self._journal.write_bytes(journal.cut(min(entries, len(journal))))

    def _crash_at(self, point: CrashPoint) -> List[str]:
        life = Life(self._journal, dies_at=point.moment)
        mortals, checkpoint = self._run_first(life)
        if point.where != _SAVED:
            self._put_back(checkpoint)
        self._leave_journal(life.journal(), point.entries)
        try:
            self._case.operation.again(self._stack, self._case.refresh)
            after = self._case.operation.look(self._stack)
        except Error as error:
            return [f"the next run failed: {error}"]
        return left_over(after, mortals)


def left_over(after: Result, mortals: Mapping[str, Mortal]) -> List[str]:
    """The remains of a run: work for another one, unknown outcomes, records of resources that are gone."""
    problems = [
        f"{step.name}: there is still something to do: {step.op if step.op != 'same' else 'refresh'}"
        for step in after.steps
        if step.op not in ("same", "read", "refresh") or step.old != step.new  # as a refresh has it, of outputs alone
    ]
    known: Set[str] = {state.id for state in after.resources if state.custom and not state.external}
    exist: Dict[str, str] = {}
    for mortal in mortals.values():
        exist.update(mortal.made)
    for id, name in exist.items():
        if id not in known:
            problems.append(
                f"{name}: {id} exists and is not recorded: the create of it was not repaired. A provider has to find what "
                "an interrupted create made, by name or by a token of the request"
            )
    for state in after.resources:
        if state.custom and not state.external and _is_served(state.type) and state.id not in exist:
            problems.append(f"{state.name}: {state.id} is recorded and does not exist")
    return problems


def _is_served(type: str) -> bool:
    return not type.startswith("pulumi:")
