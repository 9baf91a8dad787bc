# SPDX-License-Identifier: Apache-2.0
"""Snapshot: the recorded state of a stack, to read, to ask and to edit, without an engine around it.

    before = kingpost.Snapshot.load("dev.json")
    database = before.find("db*", type="aws:rds*")[0]
    print([resource.urn for resource in before.dependents(database)])
    before.rename(database.urn, "main-db").save("dev.json")

A snapshot never changes: an edit answers another one, which shares what it did not change. Its resources are views into
native memory, whose values are converted when they are asked for. Any thread.
"""

from __future__ import annotations

import json
import mmap
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _kingpost
from ._checked import flag, optional_text, path_argument, text_argument
from ._kingpost import Resource

from .errors import StateDamaged
from ._html import snapshot_html
from ._pickles import are_secrets_kept
from .state_store import StateStore
from .words import SnapshotForm

if TYPE_CHECKING:
    from .stack import Stack

#: A resource or its URN.
ResourceLike = Union[Resource, str]


class PendingOperation(NamedTuple):
    """An operation that an interrupted run began and did not record as ended.

    type:     "creating", "updating", "deleting", "reading" or "importing"
    resource: as it was begun
    """

    type: str
    resource: Resource


class BrokenReference(NamedTuple):
    """A reference that ended with a move, because its ends are in different stacks now. URNs of before it.

    source, target: who referred to whom
    property:       of a property dependency, else ""
    """

    source: str
    target: str
    property: str  #: of a property dependency, else ""


@dataclass(frozen=True)
class Moved:
    """Both sides of a move, and its effects.

    source, dest:                     the snapshots after it
    moved:                            URNs, as the source called them
    unknown:                          asked for, and not there
    broken_in_source, broken_in_dest: references that ended with it
    """

    source: "Snapshot"
    dest: "Snapshot"
    moved: List[str]  #: URNs, as the source called them
    unknown: List[str]  #: asked for, and not there
    broken_in_source: List[BrokenReference]
    broken_in_dest: List[BrokenReference]


class Snapshot:
    """The resources of a stack, dependencies first."""

    __slots__ = ("_native",)

    def __init__(self, native: "_kingpost.Snapshot") -> None:
        """Made by the package; use ``load``, ``of`` or ``open``."""
        self._native = native

    # --- where it comes from ----------------------------------------------------------------------

    @classmethod
    def load(
        cls, source: Union[str, "os.PathLike[str]", bytes, Mapping[str, Any]], *, passphrase: Optional[str] = None
    ) -> "Snapshot":
        """Reads a checkpoint, an export or a bare deployment: a path, its bytes (also gzip or zstd), or its JSON object.

        Without the passphrase secrets stay sealed (``Secret(Sealed(...))``), and are written back as they were.
        Raises StateDamaged for what cannot be read, with the place; WrongPassphrase; OSError for a file that cannot be
        opened.
        """
        optional_text("passphrase", passphrase)
        if isinstance(source, Mapping):
            return cls(_kingpost.load_snapshot(_json_of(source), "the document", passphrase))
        if isinstance(source, (bytes, bytearray, memoryview)):
            return cls(_kingpost.load_snapshot(bytes(source), "the document", passphrase))
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError(
                f"a snapshot is loaded from a path, bytes or a JSON object, not {type(source).__name__}; of a stack it is "
                "kingpost.Snapshot.of(stack)"
            )
        with open(source, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:  # which cannot be mapped
                return cls(_kingpost.load_snapshot(b"", str(source), passphrase))
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                return cls(_kingpost.load_snapshot(mapped, str(source), passphrase))

    @classmethod
    def of(cls, stack: "Stack") -> "Snapshot":
        """The present record of the stack, with the entries that an interrupted operation would add. Secrets are
        open."""
        _require_stack(stack)
        return cls(_kingpost.read_stack(stack._session))

    @classmethod
    def open(
        cls,
        project: str,
        stack: str,
        *,
        backend: Union[str, StateStore],
        passphrase: Optional[str] = None,
        organization: str = "organization",
    ) -> "Snapshot":
        """``of`` a stack that is named, in a backend as ``Stack`` takes it."""
        from .stack import Stack

        return cls.of(Stack(project, stack, backend=backend, passphrase=passphrase, organization=organization))

    # --- where it goes ----------------------------------------------------------------------------

    def to_bytes(self, form: Optional[SnapshotForm] = None, *, show_secrets: bool = False) -> bytes:
        """As JSON: "checkpoint", "export" or "deployment"; by default what it was loaded from, byte for byte if nothing
        changed. ``show_secrets`` writes them in clear."""
        if form not in (None, "checkpoint", "export", "deployment"):
            raise ValueError(f'the form of a snapshot is "checkpoint", "export" or "deployment", not {form!r}')
        return self._native.dump(form or "", flag("show_secrets", show_secrets))

    def to_dict(self, form: SnapshotForm = "export") -> Dict[str, Any]:
        """The JSON object, as ``Stack.export`` gives it. Secrets are encrypted."""
        document: Dict[str, Any] = json.loads(self.to_bytes(form))
        return document

    def save(self, path: Union[str, "os.PathLike[str]"], *, form: Optional[SnapshotForm] = None) -> None:
        """Writes the file: whole or not at all, for the owner only."""
        target = Path(path_argument("path", path))
        handle, temporary = tempfile.mkstemp(prefix=target.name + ".", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(self.to_bytes(form))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise

    def write(self, stack: "Stack", *, force: bool = False) -> None:
        """Records it as the state of the stack it is of. Raises Error if the stack has been changed since it was read, or
        if it is not in order, unless ``force``; and if another operation holds the stack."""
        _require_stack(stack)
        _kingpost.write_stack(self._native, stack._session, flag("force", force))

    # --- what is in it ----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[Resource]:
        return iter(self._native)

    def __contains__(self, urn: object) -> bool:
        return isinstance(urn, str) and self._native.find_one(urn) is not None

    def __getitem__(self, urn: str) -> Resource:
        """The live resource of the URN, else one that waits for its deletion. Raises KeyError."""
        if not isinstance(urn, str):
            raise TypeError(f"a resource of a snapshot is found by its URN, not by {urn!r}; list(snapshot) has them in order")
        found = self.get(urn)
        if found is None:
            raise KeyError(urn)
        return found

    def get(self, urn: str) -> Optional[Resource]:
        """As ``snapshot[urn]``; None where that raises KeyError."""
        text_argument("urn", urn)
        return self._native.find_one(urn)

    def find(self, pattern: str = "*", *, type: str = "", parent: ResourceLike = "") -> List[Resource]:
        """Resources by pattern, type and parent, in order.

        A pattern with ":" or "**" is one of URNs, as ``targets`` are: "*" stands for anything but ":", "**" for
        anything. Any other is a shell pattern of names; ``type`` is a shell pattern of types ("aws:s3*").
        """
        text_argument("pattern", pattern)
        text_argument("type", type)
        return self._native.find(pattern, type, _urn_of(parent) if parent != "" else "")

    def children(self, resource: ResourceLike) -> List[Resource]:
        return self.find(parent=resource)

    def dependents(self, resource: ResourceLike, *, children: bool = True) -> List[Resource]:
        """All that depends on it, directly or not; ``children`` counts its children. Raises StateDamaged if not in order."""
        return _kingpost.dependents(self._native, self._resource(resource), flag("children", children))

    def dependencies(self, resource: ResourceLike, *, transitive: bool = False) -> List[Resource]:
        """Its dependencies: provider, parent, dependencies, and those that it is deleted or replaced with."""
        return _kingpost.dependencies(self._native, self._resource(resource), flag("transitive", transitive))

    @property
    def stack(self) -> str:
        """"organization/project/stack" as a checkpoint says it, else ""."""
        return self._native.stack

    @property
    def time(self) -> str:
        """When it was written, RFC 3339."""
        return self._native.time

    @property
    def sealed(self) -> bool:
        """True if it was loaded without a passphrase."""
        return self._native.sealed

    @property
    def pending_operations(self) -> List[PendingOperation]:
        return [PendingOperation(type, resource) for type, resource in self._native.pending_operations()]

    @property
    def problem(self) -> Optional[str]:
        """The first broken rule of a state, by name; None if it is in order."""
        return self._native.problem() or None

    def verify(self) -> None:
        """Raises StateDamaged if it is not in order."""
        problem = self.problem
        if problem is not None:
            raise StateDamaged(f"the snapshot is not in order: {problem}; repair() mends it")

    # --- edits ------------------------------------------------------------------------------------

    def rename(self, resource: ResourceLike, name: str) -> "Snapshot":
        """Gives a resource another name; all that refers to it follows. As ``kingpost state rename``."""
        return Snapshot(_kingpost.rename_resource(self._native, _urn_of(resource), text_argument("name", name)))

    def delete(self, *resources: ResourceLike, force: bool = False, dependents: bool = False) -> "Snapshot":
        """Forgets resources without deleting them. As ``kingpost state delete``.

        Raises Error for what is protected, unless ``force``, and for what others depend on, unless ``dependents`` go, too.
        """
        urns = [_urn_of(resource) for resource in resources]
        return Snapshot(_kingpost.forget_resources(self._native, urns, flag("force", force), flag("dependents", dependents)))

    def mark(
        self, *resources: ResourceLike, protect: Optional[bool] = None, taint: Optional[bool] = None
    ) -> "Snapshot":
        """Protects, or has the next update replace; None leaves a mark as it is. As ``kingpost state protect``, ``taint``."""
        for argument, given in (("protect", protect), ("taint", taint)):
            if given is not None:
                flag(argument, given)
        return Snapshot(_kingpost.mark_resources(self._native, [_urn_of(r) for r in resources], protect, taint))

    def repair(self) -> "Snapshot":
        """Sorts what is in disorder, and drops references to what is not there. As ``kingpost state repair``."""
        return Snapshot(_kingpost.repair_snapshot(self._native))

    def move(
        self,
        *resources: ResourceLike,
        to: "Snapshot",
        include_parents: bool = False,
        stack: Optional[str] = None,
        project: Optional[str] = None,
    ) -> Moved:
        """Moves resources, what is below them and providers they need into another stack's snapshot, under its names.

        ``stack`` and ``project`` name the destination if its snapshot does not. Neither side is saved: write the
        destination first. As ``kingpost state move``.
        """
        if not isinstance(to, Snapshot):
            raise TypeError(f"resources are moved to a kingpost.Snapshot, not to {type(to).__name__}")
        optional_text("stack", stack)
        optional_text("project", project)
        flag("include_parents", include_parents)
        given_project, given_stack = to._names()
        stack, project = stack or given_stack, project or given_project
        if not stack or not project:
            raise ValueError("the destination's snapshot does not say whose it is: give stack and project")
        urns = [_urn_of(resource) for resource in resources]
        move = _kingpost.move_resources(self._native, to._native, urns, include_parents, stack, project)
        return Moved(
            Snapshot(move["source"]),
            Snapshot(move["dest"]),
            move["moved"],
            move["unknown"],
            [BrokenReference(*broken) for broken in move["broken_in_source"]],
            [BrokenReference(*broken) for broken in move["broken_in_dest"]],
        )

    def __copy__(self) -> "Snapshot":
        return self  # it never changes

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Snapshot":
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        """As ``to_bytes``: secrets stay encrypted, and are sealed in what is loaded; see ``kingpost.secrets_in_pickles``."""
        return (Snapshot.load, (self.to_bytes(show_secrets=are_secrets_kept()),))

    def _repr_html_(self) -> str:
        return snapshot_html(self)

    def __repr__(self) -> str:
        return f"<kingpost.Snapshot {self.stack or 'of a stack'}, {len(self)} resources>"

    def _resource(self, resource: ResourceLike) -> Resource:
        return self[resource] if isinstance(resource, str) else _required(resource)

    def _names(self) -> Tuple[str, str]:
        """Project and stack, by the checkpoint or by the first URN; "" if neither says it."""
        parts = self.stack.split("/")
        if len(parts) == 3:
            return parts[1], parts[2]
        for resource in self:
            urn = resource.urn.split("::")
            return urn[1], urn[0].rpartition(":")[2]
        return "", ""


def _urn_of(resource: ResourceLike) -> str:
    return text_argument("a URN", resource) if isinstance(resource, str) else _required(resource).urn


def _required(resource: Any) -> Resource:
    if not isinstance(resource, Resource):
        raise TypeError(f"a resource is given as a kingpost.Resource or by its URN, not as {resource!r}")
    return resource


def _require_stack(stack: Any) -> None:
    from .stack import Stack

    if not isinstance(stack, Stack):
        raise TypeError(f"the stack must be a kingpost.Stack, not {type(stack).__name__}")


def _json_of(document: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(dict(document)).encode()
    except (TypeError, ValueError) as error:
        raise TypeError(f"the document must be JSON, as stack.export() gives it: {error}") from None
