# SPDX-License-Identifier: Apache-2.0
"""Differences between two property maps, or two snapshots.

    kingpost.diff({"size": 1, "tags": ["a"]}, {"size": 2, "tags": ["a", "b"]})
    {'size': Change(kind='update', old=1, new=2), 'tags[1]': Change(kind='add', old=None, new='b')}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Union, overload

from . import _kingpost
from ._kingpost import Resource
from .snapshot import Snapshot
from .words import ChangeKind


@dataclass(frozen=True)
class Change:
    """The change of a property. What was secret, or is, comes as ``kingpost.Secret``.

    kind:     "add", "delete" or "update"
    old, new: its values; None where there is none
    """

    kind: ChangeKind
    old: Any = None
    new: Any = None


@dataclass(frozen=True)
class ResourceChange:
    """A resource before and after.

    old, new: as they are recorded
    changes:  what differs by path: "inputs.size", "outputs.tags[0]", "protect", "id"
    """

    old: Resource
    new: Resource
    changes: Dict[str, Change]

    @property
    def urn(self) -> str:
        return self.new.urn


@dataclass(frozen=True)
class SnapshotDiff:
    """The differences between two snapshots; true if there are any. Live resources are matched by URN, those that wait
    for their deletion by URN and ID. When a resource was made or changed, and where in the program it is declared, does not
    count.

    added:    only in the new one
    removed:  only in the old one
    changed:  in both, with other properties or options
    replaced: in both, with another ID
    """

    added: List[Resource] = field(default_factory=list)
    removed: List[Resource] = field(default_factory=list)
    changed: List[ResourceChange] = field(default_factory=list)
    replaced: List[ResourceChange] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.replaced)

    def __str__(self) -> str:
        lines = [f"+ {resource.urn}" for resource in self.added]
        lines += [f"- {resource.urn}" for resource in self.removed]
        for sign, changes in (("+-", self.replaced), ("~", self.changed)):
            for change in changes:
                lines.append(f"{sign} {change.urn}")
                lines += [f"    {path}: {_text(at)}" for path, at in change.changes.items()]
        return "\n".join(lines) or "no difference"


def _text(change: Change) -> str:
    if change.kind == "add":
        return f"{change.new!r} (added)"
    if change.kind == "delete":
        return f"{change.old!r} (removed)"
    return f"{change.old!r} => {change.new!r}"


@overload
def diff(old: Snapshot, new: Snapshot) -> SnapshotDiff: ...


@overload
def diff(old: Mapping[str, Any], new: Mapping[str, Any]) -> Dict[str, Change]: ...


def diff(
    old: Union[Snapshot, Mapping[str, Any]], new: Union[Snapshot, Mapping[str, Any]]
) -> Union[SnapshotDiff, Dict[str, Change]]:
    """Two snapshots, or two property maps: then what differs by property path. Raises TypeError for other things."""
    if isinstance(old, Snapshot) and isinstance(new, Snapshot):
        found = _kingpost.diff_snapshots(old._native, new._native)
        return SnapshotDiff(
            found["added"],
            found["removed"],
            [ResourceChange(a, b, _changes(leaves)) for a, b, leaves in found["changed"]],
            [ResourceChange(a, b, _changes(leaves)) for a, b, leaves in found["replaced"]],
        )
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return _changes(_kingpost.diff_properties(dict(old), dict(new)))
    raise TypeError(
        f"diff takes two kingpost.Snapshots or two dicts, not {type(old).__name__} and {type(new).__name__}"
    )


def _changes(leaves: List[Any]) -> Dict[str, Change]:
    return {path: Change(kind, old, new) for path, kind, old, new in leaves}
