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
from .graph import DependencyGraph, Edge, dependency_graph
from .journal import Journal
from .planning import Goal, OutputOf, goals_of, plan
from .errors import (
    AwaitFailed,
    Awaiting,
    Cancelled,
    Error,
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
from .snapshot import BrokenReference, Moved, PendingOperation, Snapshot
from .property_types import Archive, Asset, Property, replace_on_change, secret, stable
from .resources import Incomplete, ManagedResource
from .serving import serve, serve_policies
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
