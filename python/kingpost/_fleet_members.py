# SPDX-License-Identifier: Apache-2.0
"""The members of a fleet that lie below a folder: every project there, or those that kingpost.yaml lists."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._checked import text_argument
from ._fleet_file import NAME, FleetFile, ListedMember, load_fleet_file
from ._fleet_projects import backend_of, has_project, own_settings, project_file, project_folders, settings_file
from .errors import Error
from .stack import Stack
from .state_store import StateStore

Backend = Union[str, StateStore, None]


@dataclass
class FoundMember:
    stack: Stack
    label: str  # the folder as seen from the fleet's
    after: List[str] = field(default_factory=list)  # folders, projects or stacks
    groups: List[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.stack.project}/{self.stack.name}"

    def is_called(self, name: str) -> bool:
        return name in (self.name, self.stack.project) or os.path.normpath(name) == self.label

    def fits(self, pattern: str) -> bool:
        return any(fnmatchcase(text, pattern) for text in (self.name, self.stack.project, self.label))


def stack_in(
    folder: Path,
    stack: str,
    backend: Backend,
    passphrase: Optional[str],
) -> Stack:
    """The stack of the project in the folder."""
    if not text_argument("stack", stack):
        raise ValueError(f'which stack of the project in {folder}? Pass stack="prod"')
    return _stack_of(project_file(folder), folder, stack, backend, passphrase, {})


def _stack_of(
    project: Dict[str, Any],
    folder: Path,
    stack: str,
    backend: Backend,
    passphrase: Optional[str],
    config: Dict[str, str],
) -> Stack:
    """``config`` is for those that have no value of their own."""
    return Stack(
        project["name"],
        stack,
        folder,
        config=_without(config, own_settings(folder, project, stack), project["name"]),
        backend=backend_of(project, folder) if backend is None else backend,
        passphrase=passphrase,
    )


def _without(config: Dict[str, str], own: Dict[str, Any], project: str) -> Dict[str, str]:
    return {key: value for key, value in config.items() if (key if ":" in key else f"{project}:{key}") not in own}


def find_members(
    folder: Path, stack: str, only: Sequence[str], backend: Backend, passphrase: Optional[str]
) -> List[FoundMember]:
    """In the order of their folders, or in that of the file."""
    file = load_fleet_file(folder)
    found: List[FoundMember] = []
    for path, listed in _listed(folder, file):
        name = listed.stack or stack or file.stack
        if not name:
            raise Error(f'which stack of the projects below {folder}? Pass stack="prod", or write stack: prod into {NAME}')
        text_argument("stack", name)
        project = project_file(path)
        member = _stack_of(project, path, name, backend, passphrase, file.config)
        if not settings_file(path, project, name) and not member._ask(member._session.exists):
            if file.members and not listed.is_pattern:
                raise Error(f"{file.path}: the member {listed.folder} has no stack {name!r}; make one with: kingpost stack init")
            continue
        label = os.path.relpath(path, folder)
        found.append(FoundMember(member, label, listed.after, listed.groups))
    if not found:
        raise Error(
            f"no project below {folder} has a stack {stack or file.stack!r}; make one with: "
            f"kingpost stack init {stack or file.stack}"
        )
    for member_ in found:  # the members that a selection leaves out may be named as well
        member_.after = [other.name for name in member_.after for other in _called(name, member_, found, file)]
    return _selected(found, file, only)


def _listed(folder: Path, file: FleetFile) -> Iterator[Tuple[Path, ListedMember]]:
    folders = project_folders(folder)
    if not file.members:
        yield from ((path, ListedMember("*")) for path in folders)
    for listed in file.members:
        if not listed.is_pattern:
            path = (folder / listed.folder).resolve()
            if not has_project(path):
                raise Error(f"{file.path}: the member {listed.folder} has no Pulumi.yaml")
            yield path, listed
            continue
        fitting = [path for path in folders if fnmatchcase(os.path.relpath(path, folder), listed.folder)]
        if not fitting:
            raise Error(f"{file.path}: the member {listed.folder} fits no folder with a project")
        yield from ((path, listed) for path in fitting)


def _called(name: str, member: FoundMember, found: List[FoundMember], file: FleetFile) -> List[FoundMember]:
    called = [other for other in found if other.is_called(name)]
    if not called:
        raise Error(
            f"{file.path}: {member.label} comes after {name}, which is no folder, project or stack of the members"
        )
    return [other for other in called if other is not member]


def _selected(found: List[FoundMember], file: FleetFile, only: Sequence[str]) -> List[FoundMember]:
    chosen: List[FoundMember] = []
    for pattern in only:
        of_group = file.groups.get(pattern, [])
        fitting = [
            member
            for member in found
            if member.fits(pattern) or pattern in member.groups or any(member.fits(name) for name in of_group)
        ]
        if not fitting:
            raise Error(f"only {pattern}: no stack, project, folder or group is called so")
        chosen += fitting
    return [member for member in found if member in chosen] if only else found
