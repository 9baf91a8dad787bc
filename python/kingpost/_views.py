# SPDX-License-Identifier: Apache-2.0
"""Views on the wire."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence

import grpc
from pulumi.runtime.proto import resource_status_pb2, resource_status_pb2_grpc

from ._direct import BlockingCalls
from ._wire import from_struct, to_struct
from .accelerate.channels import NO_RETRIES
from .messages import View, ViewStep

# Two are called otherwise than steps are.
_NAMES = {"discard": "READ_DISCARD", "read-discard": "READ_DISCARD"}


def publish(address: str, token: str, steps: Sequence[ViewStep]) -> None:
    request = resource_status_pb2.PublishViewStepsRequest(token=token, steps=[_step(step) for step in steps])
    try:
        if address.startswith("direct:"):  # the engine of this process
            answer = BlockingCalls(address)("engine", "PublishViewSteps", request.SerializeToString())
            answer.read(resource_status_pb2.PublishViewStepsResponse)
            return
        with grpc.insecure_channel(address, options=[NO_RETRIES]) as channel:
            resource_status_pb2_grpc.ResourceStatusStub(channel).PublishViewSteps(request)
    except grpc.RpcError as error:
        raise RuntimeError(f"the engine does not take the views: {error.details()}") from None


def _step(step: ViewStep) -> Any:
    name = _NAMES.get(step.op, step.op.upper().replace("-", "_"))
    if name not in resource_status_pb2.ViewStep.Op.keys():
        raise ValueError(f"{step.op!r} is no step of a view; use create, update, delete, same, replace or read")
    status = resource_status_pb2.ViewStep.PARTIAL_FAILURE if step.error else resource_status_pb2.ViewStep.OK
    return resource_status_pb2.ViewStep(
        status=status,
        error=step.error,
        op=resource_status_pb2.ViewStep.Op.Value(name),
        type=step.type,
        name=step.name,
        old=_state(step.old),
        new=_state(step.new),
        keys=list(step.keys),
        diffs=list(step.diffs),
    )


def _state(view: Optional[View]) -> Any:
    if view is None:
        return None
    return resource_status_pb2.ViewStepState(
        type=view.type,
        name=view.name,
        parent_type=view.parent_type,
        parent_name=view.parent_name,
        inputs=to_struct(view.inputs),
        outputs=to_struct(view.outputs),
    )


def view_fields(request: Any) -> Dict[str, Any]:
    """Makes a request of ours from that of an engine."""
    if not request.resource_status_address:
        return {}
    return {
        "status": (request.resource_status_address, request.resource_status_token),
        "old_views": [_view(view) for view in getattr(request, "old_views", ())],
    }


def _view(view: Any) -> Dict[str, Any]:
    return {
        "type": view.type,
        "name": view.name,
        "parent_type": view.parent_type,
        "parent_name": view.parent_name,
        "inputs": from_struct(view.inputs),
        "outputs": from_struct(view.outputs),
    }
