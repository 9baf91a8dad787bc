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
from .errors import Error, InitializationFailed
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
from .stack import Stack
from .values import (
    UNKNOWN,
    AssetArchive,
    FileArchive,
    FileAsset,
    RemoteArchive,
    RemoteAsset,
    ResourceReference,
    Secret,
    TextAsset,
    Unknown,
    contains_unknowns,
    unwrap,
)

__all__ = [
    "AssetArchive",
    "CheckFailure",
    "CheckRequest",
    "CheckResponse",
    "ConfigureRequest",
    "CreateRequest",
    "CreateResponse",
    "DeleteRequest",
    "Diagnostic",
    "DiffRequest",
    "DiffResponse",
    "Error",
    "FileArchive",
    "FileAsset",
    "InitializationFailed",
    "InvokeRequest",
    "InvokeResponse",
    "PolicyResource",
    "Provider",
    "ReadRequest",
    "ReadResponse",
    "Reason",
    "RemoteArchive",
    "RemoteAsset",
    "ResourceReference",
    "ResourceState",
    "Result",
    "Secret",
    "Stack",
    "Step",
    "TextAsset",
    "UNKNOWN",
    "Unknown",
    "UpdateRequest",
    "UpdateResponse",
    "__version__",
    "contains_unknowns",
    "unwrap",
]
