# SPDX-License-Identifier: Apache-2.0
"""Debugging messages that the user did not ask for are not sent.

The SDK sends four of them for each resource, each a call that blocks, and the engine drops them: a fifth of the program's
time. The launcher says whether --debug, or anything else that records them, is on; then this measure is off.

`WithoutDebugging` stands in for the stub of the engine's service, which is a parameter of the SDK's Settings. So it
needs no guard: however the SDK logs a message, only requests of severity DEBUG are dropped. The replacement of
`pulumi.log.debug` saves making the request, too.

Equal because: the engine shows none of these messages unless it is asked to. A message that protobuf would refuse is left
to the SDK, which raises its error.
"""

from __future__ import annotations

from typing import Any, Optional

from .guard import Known
from .swap import Swaps

KNOWN: Known = {
    "pulumi.log:debug": ("381cd6115cca6ca1",),
    "pulumi.log:_log": ("185613096f9dc351",),
}


class WithoutDebugging:
    """The stub of the engine's service, which sends no debugging messages."""

    def __init__(self, stub: Any) -> None:
        from pulumi.runtime.proto import engine_pb2

        self._stub = stub
        self._send = stub.Log
        self._debug = engine_pb2.DEBUG

    def Log(self, request: Any, *arguments: Any, **options: Any) -> Any:  # the name of the RPC
        if request.severity == self._debug:
            return None
        return self._send(request, *arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stub, name)


def stub_for(address: str) -> WithoutDebugging:
    """As Settings makes its stub of an address."""
    import grpc
    from pulumi.runtime import settings
    from pulumi.runtime.proto import engine_pb2_grpc

    options: Any = vars(settings)["_GRPC_CHANNEL_OPTIONS"]  # under this name in every release
    return WithoutDebugging(engine_pb2_grpc.EngineStub(grpc.insecure_channel(address, options=options)))


def install(swaps: Swaps) -> None:
    from pulumi import log

    original = log.debug
    engine_of_sdk: Any = log.get_engine

    def debug(
        msg: str,
        resource: Optional[Any] = None,
        stream_id: Optional[int] = None,
        ephemeral: Optional[bool] = None,
    ) -> None:
        if type(msg) is str and stream_id is None and ephemeral is None and msg.isascii():
            if resource is None and isinstance(engine_of_sdk(), WithoutDebugging):
                return
        original(msg, resource, stream_id, ephemeral)

    swaps.add(original, debug)
