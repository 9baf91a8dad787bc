# SPDX-License-Identifier: Apache-2.0
"""Requests to a provider, and its responses. Properties are plain Python values (kingpost/values.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .words import DetailedKind, StepKind

if TYPE_CHECKING:
    import pulumi

Properties = Dict[str, Any]


# --- views ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """A part of a resource as the engine shows it: a resource without a registration.

    type, name:               of the part
    parent_type, parent_name: of another view, or "" where the resource itself is the parent
    inputs, outputs:          its properties
    """

    type: str
    name: str
    parent_type: str = ""
    parent_name: str = ""
    inputs: Properties = field(default_factory=dict)
    outputs: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class ViewStep:
    """The outcome of a view.

    op:         as of kingpost.Step, "create", "update", "delete", "same" and so on
    type, name: of the part
    old, new:   before and after; None where there is none
    error:      why it failed; "" if it did not
    keys:       properties that forced a replacement
    diffs:      properties that changed
    """

    op: StepKind
    type: str
    name: str
    old: Optional[View] = None
    new: Optional[View] = None
    error: str = ""
    keys: Sequence[str] = ()
    diffs: Sequence[str] = ()


@dataclass(frozen=True)
class ViewPublisher:
    """Tells the engine of views while the request that it came with is worked on. Needs the package ``pulumi``.

    address, token: where and for which request
    """

    address: str
    token: str

    def publish(self, *steps: ViewStep) -> None:
        """Blocks until the engine has taken them; any thread."""
        from ._views import publish

        publish(self.address, self.token, steps)


# --- requests -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class CheckRequest:
    """Inputs to validate before anything is done with them.

    urn, type, name: of the resource; of a provider, its own
    old_inputs:      as they are recorded; {} for a new resource
    new_inputs:      as the program has them, before defaults; may hold UNKNOWN in previews
    random_seed:     bytes that stay the same for a resource, to make up a name of
    proposed_name:   what automatic naming would call the resource; None if it is off
    old_outputs:     as they are recorded; {} for a new resource, for a provider, and with engines that do not send them
    """

    urn: str
    type: str
    name: str
    old_inputs: Properties
    new_inputs: Properties
    random_seed: bytes = b""
    proposed_name: Optional[str] = None
    old_outputs: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class DiffRequest:
    """A resource whose inputs may have changed.

    urn, type, name, id:     of the resource
    old_inputs, old_outputs: as they are recorded
    new_inputs:              as ``check`` answered them; may hold UNKNOWN in previews
    ignore_changes:          property paths that the program does not want compared; the engine has put the old values there
    """

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
    """The configuration of a provider resource, before anything else is asked.

    urn, type, name, id: of the provider resource
    inputs:              as ``check_config`` answered them; may hold UNKNOWN in previews
    """

    urn: str
    type: str
    name: str
    inputs: Properties
    id: str = ""


@dataclass(frozen=True)
class ParameterizeRequest:
    """Which package this provider is to be. Either ``args`` or the rest is given.

    args:                 as `package add` has them from the command line
    name, version, value: what an SDK of the package brought along
    """

    args: Optional[List[str]] = None
    name: str = ""
    version: str = ""
    value: bytes = b""


@dataclass(frozen=True)
class SchemaRequest:
    """Which schema is wanted.

    version:                             of the format: 0
    subpackage_name, subpackage_version: of a parameterized package, else ""
    """

    version: int = 0
    subpackage_name: str = ""
    subpackage_version: str = ""


@dataclass(frozen=True)
class MappingRequest:
    """The question of a converter of programs.

    key:      who converts: "terraform"
    provider: whose mapping; "" for the only one
    """

    key: str
    provider: str = ""


@dataclass(frozen=True)
class ConstructRequest:
    """A component to construct with the ``pulumi`` package, which is set up for it: new resources are its children.

    type, name: of the component
    inputs:     may be or hold outputs of ``pulumi``
    options:    ``pulumi.ResourceOptions``, for the component's constructor as they are
    """

    type: str
    name: str
    inputs: Properties
    options: "pulumi.ResourceOptions"


@dataclass(frozen=True)
class CallRequest:
    """A method of a component.

    token: "package:module:Class/method"
    args:  may be or hold outputs; ``args["__self__"]`` is the component, a ``pulumi.ComponentResource``
    """

    token: str
    args: Properties


@dataclass(frozen=True)
class CreateRequest:
    """A resource to make.

    urn, type, name: of the resource
    inputs:          as ``check`` answered them
    preview:         True: change nothing, answer what is known of the outputs
    timeout:         seconds, if the program set some; None: no limit
    views:           where it may show parts of the resource, if the engine shows them
    old_views:       its parts as they are recorded
    """

    urn: str
    type: str
    name: str
    inputs: Properties
    preview: bool = False
    timeout: Optional[float] = None
    views: Optional[ViewPublisher] = None
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class ReadRequest:
    """A resource to look at, for a refresh, an import or a ``get``.

    urn, type, name, id: of the resource
    inputs, outputs:     as they are recorded; {} of what is imported or got
    timeout:             seconds, if the program set some; None: no limit
    views, old_views:    as of CreateRequest
    """

    urn: str
    type: str
    name: str
    id: str
    inputs: Properties
    outputs: Properties
    timeout: Optional[float] = None
    views: Optional[ViewPublisher] = None
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class UpdateRequest:
    """A resource to change in place.

    urn, type, name, id:     of the resource
    old_inputs, old_outputs: as they are recorded
    new_inputs:              as ``check`` answered them
    ignore_changes:          as of DiffRequest
    preview:                 True: change nothing, answer what is known of the outputs
    timeout:                 seconds, if the program set some; None: no limit
    views, old_views:        as of CreateRequest
    """

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
    views: Optional[ViewPublisher] = None
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class DeleteRequest:
    """A resource to remove.

    urn, type, name, id: of the resource
    inputs, outputs:     as they are recorded
    timeout:             seconds, if the program set some; None: no limit
    views, old_views:    as of CreateRequest
    """

    urn: str
    type: str
    name: str
    id: str
    inputs: Properties
    outputs: Properties
    timeout: Optional[float] = None
    views: Optional[ViewPublisher] = None
    old_views: List[View] = field(default_factory=list)


@dataclass(frozen=True)
class InvokeRequest:
    """A function of the package to call.

    token:   "package:module:function"
    args:    may hold UNKNOWN in previews
    preview: False also where the engine does not tell
    """

    token: str
    args: Properties
    preview: bool = False


# --- responses ----------------------------------------------------------------------------------


class CheckFailure(NamedTuple):
    """An input that cannot be accepted, and why.

    property: its path; "" for the resource as a whole
    reason:   for people
    """

    property: str
    reason: str


Failures = Sequence[Union[CheckFailure, str]]


@dataclass(frozen=True)
class CheckResponse:
    """The inputs with defaults filled in.

    inputs:   what is compared, recorded and given to ``create`` and ``update``
    failures: what is wrong with them: CheckFailures, or texts about the resource as a whole; () if nothing is
    """

    inputs: Properties
    failures: Failures = ()


@dataclass(frozen=True)
class DiffResponse:
    """The meaning of a change of inputs.

    changes:               True, False, or None to let the engine compare the inputs
    replaces:              names of properties whose change needs a new resource
    delete_before_replace: a replacement comes once the old one is gone
    detailed:              property path -> "add", "update", "delete" or their "-replace" forms; with a pair, (kind, True)
                           says that the path is one of the inputs. Where it is given, it decides what is shown and replaced
    stables:               names of outputs that an update leaves as they are
    diffs:                 names of properties that changed, where there is no ``detailed``
    """

    changes: Optional[bool] = None
    replaces: Sequence[str] = ()
    delete_before_replace: bool = False
    detailed: Optional[Mapping[str, Union[DetailedKind, Tuple[DetailedKind, bool]]]] = None
    stables: Sequence[str] = ()
    diffs: Sequence[str] = ()


@dataclass(frozen=True)
class CreateResponse:
    """A resource that exists.

    id:                    by which the provider finds it again; "" in a preview
    outputs:               all that is known of it, the inputs among it
    refresh_before_update: the engine reads the resource again before it is updated or deleted next
    """

    id: str
    outputs: Properties = field(default_factory=dict)
    refresh_before_update: bool = False


@dataclass(frozen=True)
class ReadResponse:
    """A resource as it is.

    id:                    "" if it is gone; may be another one than was asked for
    inputs:                None: as recorded
    outputs:               None: as recorded
    refresh_before_update: as of CreateResponse
    """

    id: str
    inputs: Optional[Properties] = None
    outputs: Optional[Properties] = None
    refresh_before_update: bool = False


@dataclass(frozen=True)
class UpdateResponse:
    """A changed resource.

    outputs:               all that is known of it, the inputs among it
    refresh_before_update: as of CreateResponse
    """

    outputs: Properties = field(default_factory=dict)
    refresh_before_update: bool = False


@dataclass(frozen=True)
class ParameterizeResponse:
    """Which package this provider is from now on.

    name, version: of that package
    """

    name: str
    version: str


@dataclass(frozen=True)
class MappingResponse:
    """How a converter translates names.

    provider: whose mapping it is
    data:     in the format of who asked
    """

    provider: str
    data: bytes


@dataclass(frozen=True)
class ConstructResponse:
    """A constructed component.

    urn:     may be an output of ``pulumi``
    outputs: may hold outputs of ``pulumi``
    """

    urn: Any
    outputs: Properties = field(default_factory=dict)


@dataclass(frozen=True)
class CallResponse:
    """The answer of a component's method.

    result:   may hold outputs of ``pulumi``
    failures: as of CheckResponse, of the arguments
    """

    result: Properties = field(default_factory=dict)
    failures: Failures = ()


@dataclass(frozen=True)
class InvokeResponse:
    """The answer of a function.

    result:   an object; lists go below a key
    failures: as of CheckResponse, of the arguments
    """

    result: Properties = field(default_factory=dict)
    failures: Failures = ()
