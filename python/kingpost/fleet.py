# SPDX-License-Identifier: Apache-2.0
"""Fleet: many stacks as one, in the order in which they read each other."""

from __future__ import annotations

import os
import threading
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _kingpost
from ._checked import Texts, flag, listed, listener, mapped, spelled, text_argument, texts, whole
from ._fleet_members import find_members, stack_in
from ._fleet_pass import FleetPass
from ._fleet_targets import CHOOSING, chosen
from ._operation import twin_of
from ._process import claim_process
from ._program import require_program
from ._settings import error_from, plan_text
from .errors import StackLocked
from .events import Event
from .fleet_result import FleetPlans, FleetResult, plan_for
from .result import Result
from .stack import Stack
from .state_store import StateStore

__tracebackhide__ = True  # a failing test shows the user's lines

#: Called with the name of a stack and its event.
OnFleetEvent = Callable[[str, Event], None]
#: A stack, or the folder of a project.
FleetMember = Union[Stack, str, "os.PathLike[str]"]

_LEAST_AT_ONCE = 4
_NOT_A_PREVIEW = {"preview": "call fleet.preview()", "dry_run": "call fleet.preview()"}
_ONE_OR_MORE = {
    "target": 'targets takes a list, as in targets=["network/prod::**vpc"]',
    "exclude": 'excludes takes a list, as in excludes=["network/prod::**vpc"]',
}


class Fleet:
    """Stacks that read each other with ``pulumi.StackReference``, operated on as one.

    members: kingpost.Stacks, or folders of projects, whose stacks are called ``stack``
    stack:   of members that are folders
    backend: of members that are folders; by default the one that the command takes: PULUMI_BACKEND_URL, that of the
             project, or the one that is logged in to
    passphrase: of members that are folders; by default PULUMI_CONFIG_PASSPHRASE
    after:   a stack -> those that have to be done before it, beyond what it reads; by names, "network/prod" or "network"
    parallel_stacks: how many run at a time; by default one for each core, at least four. Who waits is not counted
    fail_fast: after the first failure no other stack begins. Those under way end as usual

    Nobody writes the order down: a program that reads another member waits until that is done, and gets its new
    outputs; in a preview, its planned ones. What stacks have read in their last runs orders the starts. For that the
    members have to share a backend: ``"mem://NAME"`` in tests, not "memory", which is each stack's own.

    A stack that fails does not hold up others; what depends on it is skipped, and at the end kingpost.FleetFailed is
    raised, whose ``fleet`` tells of each. A circle is a kingpost.Error that names it.
    """

    def __init__(
        self,
        members: Sequence[FleetMember],
        *,
        stack: str = "",
        backend: Union[str, StateStore, None] = None,
        passphrase: Optional[str] = None,
        after: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
        parallel_stacks: Optional[int] = None,
        fail_fast: bool = False,
    ) -> None:
        self.stacks: Dict[str, Stack] = {}
        for member in listed("members", members):
            if isinstance(member, (str, os.PathLike)):
                member = stack_in(Path(member), stack, backend, passphrase)
            elif not isinstance(member, Stack):
                raise TypeError(f"a member is a kingpost.Stack or a folder, not {type(member).__name__}")
            name = f"{member.project}/{member.name}"
            if name in self.stacks:
                raise ValueError(f"two members are called {name}; a fleet has each stack once")
            self.stacks[name] = member
        self.parallel_stacks: int = (
            max(_LEAST_AT_ONCE, os.cpu_count() or 1)
            if parallel_stacks is None
            else whole("parallel_stacks", parallel_stacks)
        )
        self.fail_fast: bool = flag("fail_fast", fail_fast)
        self.after: Dict[str, List[str]] = {}
        for later, earlier in mapped("after", "stacks and those before them", after).items():
            given = [earlier] if isinstance(earlier, str) else listed(f"after[{later!r}]", earlier)
            self.after.setdefault(self._named(later), []).extend(self._named(name) for name in given)
        self._busy = threading.Lock()
        self._under_way: Optional[FleetPass] = None

    @classmethod
    def find(
        cls,
        folder: Union[str, "os.PathLike[str]"] = ".",
        *,
        stack: str = "",
        only: Texts = (),
        backend: Union[str, StateStore, None] = None,
        passphrase: Optional[str] = None,
        after: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
        parallel_stacks: Optional[int] = None,
        fail_fast: bool = False,
    ) -> "Fleet":
        """Makes a fleet of every project below the folder that has a stack of that name, in its settings or in the store.
        A file kingpost.yaml in the folder may list the members instead. Its ``stack`` is the default, members without a
        value of their own get its ``config``, and its ``after`` holds.

        only: patterns for the names of stacks, projects, folders or groups: those that fit one
        """
        found = find_members(Path(folder).resolve(), stack, texts("only", only), backend, passphrase)
        stacks = [member.stack for member in found]
        fleet = cls(stacks, after=after, parallel_stacks=parallel_stacks, fail_fast=fail_fast)
        for member in found:
            first = [name for name in member.after if name in fleet.stacks]
            fleet.after.setdefault(member.name, []).extend(first)
        return fleet

    def __repr__(self) -> str:
        return f"<kingpost.Fleet of {len(self.stacks)} stacks: {', '.join(self.stacks)}>"

    def __len__(self) -> int:
        return len(self.stacks)

    # --- operations -------------------------------------------------------------------------------

    @spelled(**_ONE_OR_MORE)
    def preview(
        self,
        *,
        targets: Texts = (),
        excludes: Texts = (),
        replace: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        refresh: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        save_plan: bool = False,
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Tells what ``up`` would do, and changes nothing. What a stack would become is what others read of it.

        save_plan: ``result.plans`` are what ``up(plan=result)`` may then do, and nothing else
        """
        __tracebackhide__ = True
        return self._operate(
            "update",
            on_event,
            preview=True,
            targets=targets,
            excludes=excludes,
            replace=replace,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            refresh=refresh,
            continue_on_error=continue_on_error,
            parallel=parallel,
            save_plan=save_plan,
            debug=debug,
        )

    @spelled(**_NOT_A_PREVIEW, **_ONE_OR_MORE)
    def up(
        self,
        *,
        targets: Texts = (),
        excludes: Texts = (),
        replace: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        refresh: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        plan: Optional[FleetPlans] = None,
        skip_preview: bool = False,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Makes every stack what its program says. Arguments as of ``kingpost.Stack.up``, and these:

        All stacks are previewed first. Those that would stay as they are, and read nothing of one that changes, are then left
        alone: their programs do not run again, and their history gets no entry.

        targets, excludes, replace: each with its stack: "network/prod::PATTERN", "network::PATTERN", or a URN. Stacks that
                      neither targets nor replace name are no part of the operation
        plan:         of ``preview(save_plan=True)``, or a dict of plans by stack, or the folder that they were written to:
                      each stack does what its own says or fails, and nothing is previewed
        skip_preview: every program runs, and only for real
        on_event:     called with the name of a stack and each kingpost.Event of its update, on that stack's thread; what it
                      raises stops the fleet
        """
        __tracebackhide__ = True
        return self._operate(
            "update",
            on_event,
            previews=not flag("skip_preview", skip_preview) and plan is None,
            plans=plan,
            targets=targets,
            excludes=excludes,
            replace=replace,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            refresh=refresh,
            continue_on_error=continue_on_error,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @spelled(**_ONE_OR_MORE)
    def refresh(
        self,
        *,
        preview: bool = False,
        targets: Texts = (),
        excludes: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Reads every resource of every stack and records it as it is."""
        __tracebackhide__ = True
        return self._operate(
            "refresh",
            on_event,
            preview=preview,
            targets=targets,
            excludes=excludes,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @spelled(**_ONE_OR_MORE)
    def destroy(
        self,
        *,
        preview: bool = False,
        targets: Texts = (),
        excludes: Texts = (),
        target_dependents: bool = False,
        exclude_dependents: bool = False,
        exclude_protected: bool = False,
        refresh: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Deletes every resource, in reverse order: a stack goes before the stacks that it reads."""
        __tracebackhide__ = True
        return self._operate(
            "destroy",
            on_event,
            preview=preview,
            targets=targets,
            excludes=excludes,
            target_dependents=target_dependents,
            exclude_dependents=exclude_dependents,
            exclude_protected=exclude_protected,
            refresh=refresh,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @twin_of(preview)
    def preview_async(self) -> None: ...

    @twin_of(up)
    def up_async(self) -> None: ...

    @twin_of(refresh)
    def refresh_async(self) -> None: ...

    @twin_of(destroy)
    def destroy_async(self) -> None: ...

    # --- one operation ----------------------------------------------------------------------------

    def _operate(
        self,
        operation: str,
        on_event: Optional[OnFleetEvent],
        previews: bool = False,
        plans: Optional[FleetPlans] = None,
        **given: Any,
    ) -> FleetResult:
        __tracebackhide__ = True
        claim_process()
        listener("on_event", on_event)
        parts: Dict[str, Dict[str, Any]] = chosen(self.stacks, {kind: given.pop(kind) for kind in CHOOSING if kind in given})
        if plans is not None:
            for name in parts:
                parts[name]["plan"] = plan_text(plan_for(name, plans))
        stacks = {name: self.stacks[name] for name in parts}
        for name, stack in stacks.items():  # before any of them begins
            options = stack._options({**given, **parts[name]})
            if operation == "update" or options["run_program"]:
                require_program(stack.program, stack.name)
        if not self._busy.acquire(blocking=False):
            raise StackLocked("an operation of this fleet is running already")
        try:
            names = list(stacks)
            preview: Optional[FleetPass] = None
            if previews:
                look = partial(self._run_one, stacks, parts, operation, None, {**given, "message": "", "preview": True})
                preview = self._begin(stacks, look, False, None)
                preview.wait()
                if names and not preview.may_go_on:
                    return preview.concluded()
            work = partial(self._run_one, stacks, parts, operation, on_event, given)
            under_way = self._begin(stacks, work, operation == "destroy", preview)
            under_way.wait()
            return under_way.concluded()
        finally:
            self._under_way = None
            self._busy.release()

    def _begin(
        self,
        stacks: Dict[str, Stack],
        run: Callable[["_kingpost.FleetBoard", str, int], Result],
        reversed: bool,
        preview: Optional[FleetPass],
    ) -> FleetPass:
        names = list(stacks)
        board = self._board(stacks, reversed, preview)

        def interrupt() -> None:
            for stack in stacks.values():
                stack._interrupt()

        def work(member: int) -> Result:
            return run(board, names[member], member)

        begun = FleetPass(board, names, work, interrupt, preview, self.fail_fast)
        self._under_way = begun
        if preview is not None and preview.stopped:  # between the two
            begun.stop()
        return begun

    @staticmethod
    def _run_one(
        stacks: Dict[str, Stack],
        parts: Dict[str, Dict[str, Any]],
        operation: str,
        on_event: Optional[OnFleetEvent],
        given: Dict[str, Any],
        board: "_kingpost.FleetBoard",
        name: str,
        member: int,
    ) -> Result:
        hear = None if on_event is None else _heard_as(name, on_event)
        return stacks[name]._operate(operation, hear, fleet=(board, member), **given, **parts[name])

    def _board(
        self, stacks: Dict[str, Stack], reversed: bool, preview: Optional[FleetPass]
    ) -> "_kingpost.FleetBoard":
        places = {name: place for place, name in enumerate(stacks)}
        members = [
            (name, _store_of(stack), stack._session, [places[f] for f in self.after.get(name, ()) if f in places])
            for name, stack in stacks.items()
        ]
        try:
            return _kingpost.FleetBoard(members, self.parallel_stacks, reversed, preview.board if preview else None)
        except _kingpost.Failure as failure:
            raise error_from(failure) from None

    def _interrupt(self) -> None:
        under_way = self._under_way
        if under_way is not None:
            under_way.stop()

    def _is_held_up(self) -> bool:
        return False  # each stack has a thread of its own, on which its listener is called

    def _named(self, given: str) -> str:
        """The member that is called so, or whose project is."""
        text_argument("a stack in after", given)
        found = [name for name, stack in self.stacks.items() if given in (name, stack.project)]
        if len(found) != 1:
            what = "more than one" if found else "no"
            raise ValueError(f"{what} member is called {given!r}; there are {', '.join(self.stacks)}")
        return found[0]


def _heard_as(name: str, on_event: OnFleetEvent) -> Callable[[Event], None]:
    return lambda event: on_event(name, event)


def _store_of(stack: Stack) -> str:
    """Stacks of the same name in two stores are two."""
    if not isinstance(stack.backend, str):
        return f"store {id(stack.backend)}"
    if stack.backend in ("memory", "mem://"):
        return f"memory of {id(stack)}"
    scheme, _, path = stack.backend.partition("://")
    return f"file://{os.path.abspath(os.path.expanduser(path))}" if scheme == "file" else stack.backend
