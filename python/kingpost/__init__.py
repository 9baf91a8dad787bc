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

import importlib
from typing import TYPE_CHECKING, Any, Dict, List

from . import _extension, _lazy_sdk  # noqa: F401 - in this order before all else
from ._kingpost import VERSION as __version__
from ._kingpost import JournalEntry, Resource
from .errors import (
    AwaitFailed,
    Awaiting,
    Cancelled,
    Error,
    FleetFailed,
    InitializationFailed,
    PolicyFailed,
    PolicyViolation,
    ProgramFailed,
    ResourceFailed,
    StackLocked,
    StateDamaged,
    UnknownStack,
    WrongPassphrase,
)
from .events import Event, EventStream
from .importing import ImportResource
from .messages import (
    CallRequest,
    CallResponse,
    CheckFailure,
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    ConstructRequest,
    ConstructResponse,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    InvokeRequest,
    InvokeResponse,
    MappingRequest,
    MappingResponse,
    ParameterizeRequest,
    ParameterizeResponse,
    ReadRequest,
    ReadResponse,
    SchemaRequest,
    UpdateRequest,
    UpdateResponse,
    View,
    ViewPublisher,
    ViewStep,
)
from .policies import Policy, PolicyException, PolicyPack, PolicyResource, PolicyStack, policy, stack_policy
from .provider import Provider
from .result import Diagnostic, HistoryEntry, Reason, ResourceState, Result, Step, UpdatePlan
from ._pickles import secrets_in_pickles
from .property_types import Archive, Asset, Property, replace_on_change, secret, stable
from .resources import Incomplete, ManagedResource
from .stack import Stack
from .state_store import MemoryStateStore, ObjectInfo, ObstoreStateStore, PutRefused, StateStore, StoredObject
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

if TYPE_CHECKING:
    from .difference import Change, ResourceChange, SnapshotDiff, diff
    from .fleet import Fleet
    from .fleet_result import FleetResult
    from .graph import DependencyGraph, Edge, dependency_graph
    from .journal import Journal
    from .planning import Goal, OutputOf, goals_of, plan
    from .serving import serve, serve_policies
    from .snapshot import BrokenReference, Moved, PendingOperation, Snapshot

# Names that a test or a deployment seldom uses are imported on their first access: an import is most of the cost of a
# small test.
_LATER: Dict[str, str] = {
    **dict.fromkeys(("Change", "ResourceChange", "SnapshotDiff", "diff"), "difference"),
    **dict.fromkeys(("DependencyGraph", "Edge", "dependency_graph"), "graph"),
    "Fleet": "fleet",
    "FleetResult": "fleet_result",
    "Journal": "journal",
    **dict.fromkeys(("Goal", "OutputOf", "goals_of", "plan"), "planning"),
    **dict.fromkeys(("serve", "serve_policies"), "serving"),
    **dict.fromkeys(("BrokenReference", "Moved", "PendingOperation", "Snapshot"), "snapshot"),
}


def __getattr__(name: str) -> Any:
    module = _LATER.get(name)
    if name in _LATER.values():
        return importlib.import_module(f".{name}", __name__)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f".{module}", __name__), name)
    return found


def __dir__() -> List[str]:
    return sorted({*globals(), *_LATER})


__all__ = [
    "Archive",
    "Asset",
    "AssetArchive",
    "AwaitFailed",
    "Awaiting",
    "BrokenReference",
    "CallRequest",
    "CallResponse",
    "Cancelled",
    "Change",
    "CheckFailure",
    "CheckRequest",
    "CheckResponse",
    "ConfigureRequest",
    "ConstructRequest",
    "ConstructResponse",
    "CreateRequest",
    "CreateResponse",
    "DeleteRequest",
    "DependencyGraph",
    "Diagnostic",
    "DiffRequest",
    "DiffResponse",
    "Edge",
    "Error",
    "Event",
    "EventStream",
    "FileArchive",
    "FileAsset",
    "Fleet",
    "FleetFailed",
    "FleetResult",
    "Goal",
    "HistoryEntry",
    "ImportResource",
    "Incomplete",
    "InitializationFailed",
    "InvokeRequest",
    "InvokeResponse",
    "Journal",
    "JournalEntry",
    "ManagedResource",
    "MappingRequest",
    "MappingResponse",
    "MemoryStateStore",
    "Moved",
    "ObjectInfo",
    "ObstoreStateStore",
    "OutputOf",
    "ParameterizeRequest",
    "ParameterizeResponse",
    "PendingOperation",
    "Policy",
    "PolicyFailed",
    "PolicyException",
    "PolicyPack",
    "PolicyResource",
    "PolicyStack",
    "PolicyViolation",
    "ProgramFailed",
    "Property",
    "Provider",
    "PutRefused",
    "ReadRequest",
    "ReadResponse",
    "Reason",
    "RemoteArchive",
    "RemoteAsset",
    "Resource",
    "ResourceChange",
    "ResourceFailed",
    "ResourceReference",
    "ResourceState",
    "Result",
    "SchemaRequest",
    "Sealed",
    "Secret",
    "Snapshot",
    "SnapshotDiff",
    "Stack",
    "StackLocked",
    "StateDamaged",
    "StateStore",
    "Step",
    "StoredObject",
    "TextAsset",
    "UNKNOWN",
    "Unknown",
    "UnknownStack",
    "UpdatePlan",
    "UpdateRequest",
    "UpdateResponse",
    "View",
    "ViewPublisher",
    "ViewStep",
    "WrongPassphrase",
    "__version__",
    "contains_unknowns",
    "dependency_graph",
    "diff",
    "goals_of",
    "plan",
    "policy",
    "replace_on_change",
    "secret",
    "secrets_in_pickles",
    "serve",
    "serve_policies",
    "stable",
    "stack_policy",
    "unwrap",
]
