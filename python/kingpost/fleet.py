# SPDX-License-Identifier: Apache-2.0
"""Fleet: many stacks as one, in the order in which they read each other."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _kingpost
from ._checked import listed, listener, mapped, spelled, text_argument, whole
from ._fleet_pass import FleetPass
from ._fleet_projects import backend_of, has_settings, project_file, project_folders
from ._operation import twin_of
from ._process import claim_process
from ._program import require_program
from ._settings import error_from
from .errors import Error, StackLocked
from .events import Event
from .fleet_result import FleetResult
from .result import Result
from .stack import Stack
from .state_store import StateStore

#: Called with the name of a stack and its event.
OnFleetEvent = Callable[[str, Event], None]
#: A stack, or the folder of a project.
FleetMember = Union[Stack, str, "os.PathLike[str]"]

_LEAST_AT_ONCE = 4
_NOT_A_PREVIEW = {"preview": "call fleet.preview()", "dry_run": "call fleet.preview()"}


class Fleet:
    """Stacks that read each other with ``pulumi.StackReference``, operated on as one.

    members: kingpost.Stacks, or folders of projects, whose stacks are called ``stack``
    stack:   of members that are folders
    backend: of members that are folders; by default the one that the command takes: PULUMI_BACKEND_URL, that of the
             project, or the one that is logged in to
    passphrase: of members that are folders; by default PULUMI_CONFIG_PASSPHRASE
    after:   a stack -> those that have to be done before it, beyond what it reads; by names, "network/prod" or "network"
    parallel_stacks: how many run at a time; by default one for each core, at least four. Who waits is not counted

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
    ) -> None:
        self.stacks: Dict[str, Stack] = {}
        for member in listed("members", members):
            if isinstance(member, (str, os.PathLike)):
                member = _stack_in(Path(member), stack, backend, passphrase)
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
        stack: str,
        backend: Union[str, StateStore, None] = None,
        passphrase: Optional[str] = None,
        after: Optional[Mapping[str, Union[str, Sequence[str]]]] = None,
        parallel_stacks: Optional[int] = None,
    ) -> "Fleet":
        """Of every project below the folder that has a stack of that name, as settings or in the store."""
        members: List[FleetMember] = []
        for found in project_folders(Path(folder).resolve()):
            member = _stack_in(found, stack, backend, passphrase)
            if has_settings(found, stack) or member._ask(member._session.exists):
                members.append(member)
        if not members:
            raise Error(f"no project below {folder} has a stack {stack!r}; make one with: kingpost stack init {stack}")
        return cls(members, after=after, parallel_stacks=parallel_stacks)

    def __repr__(self) -> str:
        return f"<kingpost.Fleet of {len(self.stacks)} stacks: {', '.join(self.stacks)}>"

    def __len__(self) -> int:
        return len(self.stacks)

    # --- operations -------------------------------------------------------------------------------

    @spelled()
    def preview(
        self,
        *,
        refresh: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Tells what ``up`` would do, and changes nothing. What a stack would become is what others read of it."""
        return self._operate(
            "update",
            on_event,
            preview=True,
            refresh=refresh,
            continue_on_error=continue_on_error,
            parallel=parallel,
            debug=debug,
        )

    @spelled(**_NOT_A_PREVIEW)
    def up(
        self,
        *,
        refresh: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Makes every stack what its program says. Arguments as of ``kingpost.Stack.up``.

        on_event: called with the name of a stack and each kingpost.Event of it, on that stack's thread; what it raises
                  stops the fleet
        """
        return self._operate(
            "update",
            on_event,
            refresh=refresh,
            continue_on_error=continue_on_error,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @spelled()
    def refresh(
        self,
        *,
        preview: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Reads every resource of every stack and records it as it is."""
        return self._operate(
            "refresh",
            on_event,
            preview=preview,
            run_program=run_program,
            continue_on_error=continue_on_error,
            parallel=parallel,
            message=message,
            debug=debug,
        )

    @spelled()
    def destroy(
        self,
        *,
        preview: bool = False,
        exclude_protected: bool = False,
        refresh: bool = False,
        run_program: bool = False,
        continue_on_error: bool = False,
        parallel: Optional[int] = None,
        message: str = "",
        debug: bool = False,
        on_event: Optional[OnFleetEvent] = None,
    ) -> FleetResult:
        """Deletes every resource, the other way round: whoever reads a stack goes before it."""
        return self._operate(
            "destroy",
            on_event,
            preview=preview,
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

    def _operate(self, operation: str, on_event: Optional[OnFleetEvent], **given: Any) -> FleetResult:
        __tracebackhide__ = True
        claim_process()
        listener("on_event", on_event)
        names, stacks = list(self.stacks), list(self.stacks.values())
        for stack in stacks:  # before any of them begins
            options = stack._options(given)
            if operation == "update" or options["run_program"]:
                require_program(stack.program, stack.name)
        if not self._busy.acquire(blocking=False):
            raise StackLocked("an operation of this fleet is running already")
        try:
            board = self._board(operation == "destroy")

            def run(member: int) -> Result:
                hear = None if on_event is None else _heard_as(names[member], on_event)
                return stacks[member]._operate(operation, hear, fleet=(board, member), **given)

            def interrupt() -> None:
                for stack in stacks:
                    stack._interrupt()

            self._under_way = FleetPass(board, names, run, interrupt)
            return self._under_way.wait()
        finally:
            self._under_way = None
            self._busy.release()

    def _board(self, reversed: bool) -> "_kingpost.FleetBoard":
        places = {name: place for place, name in enumerate(self.stacks)}
        members = [
            (name, _store_of(stack), stack._session, [places[first] for first in self.after.get(name, ())])
            for name, stack in self.stacks.items()
        ]
        try:
            return _kingpost.FleetBoard(members, self.parallel_stacks, reversed)
        except _kingpost.Failure as failure:
            raise error_from(failure) from None

    def _interrupt(self) -> None:
        under_way = self._under_way
        if under_way is not None:
            under_way.stop()

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


def _stack_in(
    folder: Path, stack: str, backend: Union[str, StateStore, None], passphrase: Optional[str]
) -> Stack:
    if not text_argument("stack", stack):
        raise ValueError(f'which stack of the project in {folder}? Pass stack="prod"')
    project = project_file(folder)
    return Stack(
        project["name"],
        stack,
        folder,
        backend=backend_of(project) if backend is None else backend,
        passphrase=passphrase,
    )


def _store_of(stack: Stack) -> str:
    """Stacks of the same name in two stores are two."""
    if not isinstance(stack.backend, str):
        return f"store {id(stack.backend)}"
    if stack.backend in ("memory", "mem://"):
        return f"memory of {id(stack)}"
    scheme, _, path = stack.backend.partition("://")
    return f"file://{os.path.abspath(os.path.expanduser(path))}" if scheme == "file" else stack.backend
