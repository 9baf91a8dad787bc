# SPDX-License-Identifier: Apache-2.0
"""Providers written in Python: subclass Provider and override what your resources need.

Methods are called on worker threads, several at a time, never on the engine's own thread. Properties are plain Python
values; secret ones come as ``kingpost.Secret`` and unknown ones, in previews, as ``kingpost.UNKNOWN``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

Properties = Dict[str, Any]


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


@dataclass(frozen=True)
class CreateRequest:
    urn: str
    type: str
    name: str
    inputs: Properties
    preview: bool = False  #: True: change nothing, answer what is known of the outputs
    timeout: Optional[float] = None  #: seconds, if the program set one


@dataclass(frozen=True)
class ReadRequest:
    urn: str
    type: str
    name: str
    id: str
    inputs: Properties
    outputs: Properties
    timeout: Optional[float] = None


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


@dataclass(frozen=True)
class DeleteRequest:
    urn: str
    type: str
    name: str
    id: str
    inputs: Properties
    outputs: Properties
    timeout: Optional[float] = None


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


@dataclass
class CheckResponse:
    """The inputs with defaults filled in, and what is wrong with them: CheckFailures or texts."""

    inputs: Properties
    failures: Failures = ()


@dataclass
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


@dataclass
class CreateResponse:
    id: str
    outputs: Properties = field(default_factory=dict)


@dataclass
class ReadResponse:
    """``id`` is "" if the resource is gone."""

    id: str
    inputs: Optional[Properties] = None
    outputs: Optional[Properties] = None


@dataclass
class UpdateResponse:
    outputs: Properties = field(default_factory=dict)


@dataclass
class InvokeResponse:
    result: Properties = field(default_factory=dict)
    failures: Failures = ()


# --- the class to subclass ----------------------------------------------------------------------


class Provider:
    """The resources of one package. An exception of a method fails the operation with the exception's text."""

    def configure(self, request: ConfigureRequest) -> None:
        """Called once per provider resource of the program, before anything else."""

    def check(self, request: CheckRequest) -> CheckResponse:
        """Validates inputs and fills in defaults. By default they are taken as they are."""
        return CheckResponse(request.new_inputs)

    def diff(self, request: DiffRequest) -> DiffResponse:
        """Says whether a resource must be updated or replaced. By default it is updated if an input changed."""
        return DiffResponse()

    def create(self, request: CreateRequest) -> CreateResponse:
        """Makes the resource, unless ``request.preview``. By default there is nothing to make; its ID is its name."""
        return CreateResponse(request.name, request.inputs)

    def read(self, request: ReadRequest) -> ReadResponse:
        """Looks at the resource as it is. By default it is as recorded."""
        return ReadResponse(request.id, request.inputs, request.outputs)

    def update(self, request: UpdateRequest) -> UpdateResponse:
        """Changes the resource, unless ``request.preview``. By default the new inputs take the old ones' place
        among the outputs, and the other outputs stay."""
        kept = {key: value for key, value in request.old_outputs.items() if key not in request.old_inputs}
        return UpdateResponse({**kept, **request.new_inputs})

    def delete(self, request: DeleteRequest) -> None:
        """Removes the resource. By default there is nothing to remove."""

    def invoke(self, request: InvokeRequest) -> InvokeResponse:
        """Calls a function of the package."""
        raise NotImplementedError(f"unknown function {request.token}")

    def cancel(self) -> None:
        """The operation is being cancelled: let waiting calls return soon."""
