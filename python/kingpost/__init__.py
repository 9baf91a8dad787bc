# SPDX-License-Identifier: Apache-2.0
"""Kingpost: deploy Pulumi programs from Python, in this process.

    import kingpost, pulumi

    class Files(kingpost.Provider):
        def create(self, request):
            ...
            return kingpost.CreateResponse(id, outputs)

    stack = kingpost.Stack("site", "dev", program, providers={"files": Files()})
    result = stack.up()
    print(result.outputs, result.summary)

``program`` is a callable that declares resources with the ``pulumi`` package from PyPI.
"""

from ._kingpost import VERSION as __version__
from ._kingpost import JournalEntry, Resource
from .difference import Change, ResourceChange, SnapshotDiff, diff
from .errors import Error, InitializationFailed
from .graph import DependencyGraph, Edge, dependency_graph
from .journal import Journal
from .planning import Goal, OutputOf, goals_of, plan
from .policies import PolicyResource
from .provider import (
    CheckFailure,
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    InvokeRequest,
    InvokeResponse,
    Provider,
    ReadRequest,
    ReadResponse,
    UpdateRequest,
    UpdateResponse,
)
from .result import Diagnostic, Reason, ResourceState, Result, Step
from .snapshot import BrokenReference, Moved, PendingOperation, Snapshot
from .stack import Stack
from .values import (
    UNKNOWN,
    AssetArchive,
    FileArchive,
    FileAsset,
    RemoteArchive,
    RemoteAsset,
    ResourceReference,
    Sealed,
    Secret,
    TextAsset,
    Unknown,
    contains_unknowns,
    unwrap,
)

__all__ = [
    "AssetArchive",
    "BrokenReference",
    "Change",
    "CheckFailure",
    "CheckRequest",
    "CheckResponse",
    "ConfigureRequest",
    "CreateRequest",
    "CreateResponse",
    "DeleteRequest",
    "DependencyGraph",
    "Diagnostic",
    "DiffRequest",
    "DiffResponse",
    "Edge",
    "Error",
    "FileArchive",
    "FileAsset",
    "Goal",
    "InitializationFailed",
    "InvokeRequest",
    "InvokeResponse",
    "Journal",
    "JournalEntry",
    "Moved",
    "OutputOf",
    "PendingOperation",
    "PolicyResource",
    "Provider",
    "ReadRequest",
    "ReadResponse",
    "Reason",
    "RemoteArchive",
    "RemoteAsset",
    "Resource",
    "ResourceChange",
    "ResourceReference",
    "ResourceState",
    "Result",
    "Sealed",
    "Secret",
    "Snapshot",
    "SnapshotDiff",
    "Stack",
    "Step",
    "TextAsset",
    "UNKNOWN",
    "Unknown",
    "UpdateRequest",
    "UpdateResponse",
    "__version__",
    "contains_unknowns",
    "dependency_graph",
    "diff",
    "goals_of",
    "plan",
    "unwrap",
]
