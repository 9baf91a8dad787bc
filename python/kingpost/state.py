# SPDX-License-Identifier: Apache-2.0
"""The record of a stack, and its place: one group of the names of ``kingpost``."""

from __future__ import annotations

from .difference import Change, ResourceChange, SnapshotDiff, diff
from .graph import DependencyGraph, Edge, dependency_graph
from ._kingpost import JournalEntry, Resource
from .journal import Journal
from .snapshot import BrokenReference, Moved, PendingOperation, Snapshot
from .state_store import MemoryStateStore, ObjectInfo, ObstoreStateStore, PutRefused, StateStore, StoredObject

__all__ = [
    "BrokenReference",
    "Change",
    "DependencyGraph",
    "Edge",
    "Journal",
    "JournalEntry",
    "MemoryStateStore",
    "Moved",
    "ObjectInfo",
    "ObstoreStateStore",
    "PendingOperation",
    "PutRefused",
    "Resource",
    "ResourceChange",
    "Snapshot",
    "SnapshotDiff",
    "StateStore",
    "StoredObject",
    "dependency_graph",
    "diff",
]
