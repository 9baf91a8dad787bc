# SPDX-License-Identifier: Apache-2.0
"""Finds the members of a fleet below a folder: every project there, or those that kingpost.yaml lists."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Set, Union

from . import _kingpost
from ._checked import text_argument
from .errors import Error
from .stack import Stack
from .state_store import StateStore

Backend = Union[str, StateStore, None]

_FILE = "kingpost.yaml"


@dataclass
class FoundMember:
    stack: Stack
    listed: "_kingpost.ListedProject"
    after: List[str]  # the names of members

    @property
    def name(self) -> str:
        return f"{self.stack.project}/{self.stack.name}"


def stack_in(folder: Path, stack: str, backend: Backend, passphrase: Optional[str]) -> Stack:
    """The stack of the project in the folder."""
    if not text_argument("stack", stack):
        raise ValueError(f'which stack of the project in {folder}? Pass stack="prod"')
    if not _kingpost.holds_project(folder):
        raise Error(f"there is no project in {folder}: it has no Pulumi.yaml")
    return _stack_of(_kingpost.ProjectFolder(folder), folder, stack, backend, passphrase, {})


def _stack_of(
    project: "_kingpost.ProjectFolder",
    folder: Path,
    stack: str,
    backend: Backend,
    passphrase: Optional[str],
    config: Dict[str, str],
) -> Stack:
    chosen = project.backend if backend is None else backend
    if chosen is None:
        raise Error("no store of states is chosen; pass backend=..., set PULUMI_BACKEND_URL, or run: kingpost login URL")
    return Stack(project.name, stack, folder, config=config, backend=chosen, passphrase=passphrase)


def find_members(
    folder: Path, stack: str, only: Sequence[str], backend: Backend, passphrase: Optional[str]
) -> List[FoundMember]:
    """In the order of their folders, or in that of the file."""
    if not folder.is_dir():
        raise Error(f"there are no projects in {folder}: no such folder")
    fleet = _kingpost.FleetFolder(folder)
    found: List[FoundMember] = []
    for listed in fleet.projects:
        name = listed.stack or stack or fleet.stack
        if not name:
            raise Error(f'which stack of the projects below {folder}? Pass stack="prod", or write stack: prod into {_FILE}')
        text_argument("stack", name)
        project = _kingpost.ProjectFolder(listed.folder)
        config = project.config_for(fleet, name)
        member = _stack_of(project, listed.folder, name, backend, passphrase, config)
        if not project.has_settings(name) and not member._ask(member._session.exists):
            if listed.by_name:
                raise Error(f"{fleet.file}: the member {listed.label} has no stack {name!r}; make one with: kingpost stack init")
            continue
        found.append(FoundMember(member, listed, []))
    if not found:
        raise Error(
            f"no project below {folder} has a stack {stack or fleet.stack!r}; make one with: "
            f"kingpost stack init {stack or fleet.stack}"
        )
    names = [(one.name, one.stack.project, one.listed.label, one.listed.groups) for one in found]
    for place, one in enumerate(found):  # the members that a selection leaves out may be named as well
        one.after = [found[other].name for name in one.listed.after for other in fleet.called(name, place, names)]
    chosen: Set[int] = set() if only else set(range(len(found)))
    for pattern in only:
        fitting = fleet.fitting(pattern, names)
        if not fitting:
            raise Error(f"only {pattern}: no stack, project, folder or group has this name")
        chosen.update(fitting)
    return [one for place, one in enumerate(found) if place in chosen]
