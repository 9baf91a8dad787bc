# SPDX-License-Identifier: Apache-2.0
"""What a provider is asked, and what it answers. Properties are plain Python values (kingpost/values.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Union

if TYPE_CHECKING:
    import pulumi

Properties = Dict[str, Any]


# --- views ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """A part of a resource as the engine shows it: a resource that nobody registered. Its parent is another view, or the
    resource itself."""

    type: str
    name: str
    parent_type: str = ""
    parent_name: str = ""
    inputs: Properties = field(default_factory=dict)
    outputs: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class ViewStep:
    """What became of a view: ``op`` as of kingpost.Step, "create", "update", "delete", "same" and so on."""

    op: str
    type: str
    name: str
    old: Optional[View] = None
    new: Optional[View] = None
    error: str = ""  #: why it failed; "" if it did not
    keys: Sequence[str] = ()
    diffs: Sequence[str] = ()


@dataclass(frozen=True)
class ViewPublisher:
    """Tells the engine of views while the request that it came with is worked on. Needs the package ``pulumi``."""

    address: str
    token: str

    def publish(self, *steps: ViewStep) -> None:
        """Blocks until the engine has taken them; any thread."""
        from ._views import publish

        publish(self.address, self.token, steps)


# --- requests -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class CheckRequest:
    urn: str
    type: str
    name: str
    old_inputs: Properties
    new_inputs: Properties
    random_seed: bytes = b""
    proposed_name: Optional[str] = None  #: what automatic naming would call the resource


@dataclass(frozen=True)
class DiffRequest:
    urn: str
    type: str
    name: str
    id: str
    old_inputs: Properties
    old_outputs: Properties
    new_inputs: Properties
    ignore_changes: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class ConfigureRequest:
    urn: str
    type: str
    name: str
    inputs: Properties
    id: str = ""


@dataclass(frozen=True)
class ParameterizeRequest:
    """Either ``args``, as `package add` has them from the command line, or what an SDK brought along."""

    args: Optional[List[str]] = None
    name: str = ""
    version: str = ""
    value: bytes = b""


@dataclass(frozen=True)
class SchemaRequest:
    version: int = 0
    subpackage_name: str = ""
    subpackage_version: str = ""


@dataclass(frozen=True)
class MappingRequest:
    key: str  #: who converts: "terraform"
    provider: str = ""


@dataclass(frozen=True)
class ConstructRequest:
    """A component to construct with the ``pulumi`` package, which is set up for it: new resources are its children.

    ``inputs`` may be or hold outputs of ``pulumi``; ``options`` go to the component's constructor as they are.
    """

    type: str
    name: str
    inputs: Properties
    options: "pulumi.ResourceOptions"


@dataclass(frozen=True)
class CallRequest:
    """A method of a component: ``args`` may be or hold outputs, ``args["__self__"]`` is the component."""

    token: str
    args: Properties


@dataclass(frozen=True)
class CreateRequest:
    urn: str
    type: str
    name: str
    inputs: Properties
    preview: bool = False  #: True: change nothing, answer what is known of the outputs
    timeout: Optional[float] = None  #: seconds, if the program set one
    views: Optional[ViewPublisher] = None  #: where it may show parts of the resource, if the engine shows them
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class ReadRequest:
    urn: str
    type: str
    name: str
    id: str
    inputs: Properties
    outputs: Properties
    timeout: Optional[float] = None
    views: Optional[ViewPublisher] = None  #: where it may show parts of the resource, if the engine shows them
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class UpdateRequest:
    urn: str
    type: str
    name: str
    id: str
    old_inputs: Properties
    old_outputs: Properties
    new_inputs: Properties
    ignore_changes: List[str] = field(default_factory=list)
    preview: bool = False
    timeout: Optional[float] = None
    views: Optional[ViewPublisher] = None  #: where it may show parts of the resource, if the engine shows them
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class DeleteRequest:
    urn: str
    type: str
    name: str
    id: str
    inputs: Properties
    outputs: Properties
    timeout: Optional[float] = None
    views: Optional[ViewPublisher] = None  #: where it may show parts of the resource, if the engine shows them
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class InvokeRequest:
    token: str
    args: Properties
    preview: bool = False


# --- responses ----------------------------------------------------------------------------------


class CheckFailure(NamedTuple):
    """An input that cannot be accepted, and why."""

    property: str
    reason: str


Failures = Sequence[Union[CheckFailure, str]]


@dataclass(frozen=True)
class CheckResponse:
    """The inputs with defaults filled in, and what is wrong with them: CheckFailures or texts."""

    inputs: Properties
    failures: Failures = ()


@dataclass(frozen=True)
class DiffResponse:
    """``changes``: True, False, or None to let the engine compare the inputs.

    ``replaces`` names the properties whose change needs a new resource; ``detailed`` maps property paths to "add",
    "update", "delete" and their "-replace" forms; ``stables`` names outputs that an update leaves as they are.
    """

    changes: Optional[bool] = None
    replaces: Sequence[str] = ()
    delete_before_replace: bool = False
    detailed: Optional[Dict[str, str]] = None
    stables: Sequence[str] = ()
    diffs: Sequence[str] = ()  #: changed properties, if there is no ``detailed``


@dataclass(frozen=True)
class CreateResponse:
    """``refresh_before_update``: the engine reads the resource again before it is updated or deleted next."""

    id: str
    outputs: Properties = field(default_factory=dict)
    refresh_before_update: bool = False


@dataclass(frozen=True)
class ReadResponse:
    """``id`` is "" if the resource is gone."""

    id: str
    inputs: Optional[Properties] = None
    outputs: Optional[Properties] = None
    refresh_before_update: bool = False


@dataclass(frozen=True)
class UpdateResponse:
    outputs: Properties = field(default_factory=dict)
    refresh_before_update: bool = False


@dataclass(frozen=True)
class ParameterizeResponse:
    name: str
    version: str


@dataclass(frozen=True)
class MappingResponse:
    provider: str
    data: bytes


@dataclass(frozen=True)
class ConstructResponse:
    """``urn`` and ``outputs`` may be, and hold, outputs of ``pulumi``."""

    urn: Any
    outputs: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class CallResponse:
    """``result`` may hold outputs of ``pulumi``."""

    result: Properties = field(default_factory=dict)
    failures: Failures = ()


@dataclass(frozen=True)
class InvokeResponse:
    result: Properties = field(default_factory=dict)
    failures: Failures = ()
