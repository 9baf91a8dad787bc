# SPDX-License-Identifier: Apache-2.0
"""The engine's services as the SDK's stubs offer them, for a program in this process: the same messages, without a socket.

A blocking call waits in ``poll``, on a descriptor that the engine makes readable. So no function of the extension is on
the stack of a waiting thread, and the engine needs no GIL to answer it.
"""

from __future__ import annotations

import select
import threading
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Type

import grpc
from pulumi.runtime.proto import engine_pb2, resource_pb2

from . import _kingpost

_CODES: Dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


class EngineRefused(grpc.RpcError):  # type: ignore[misc]  # untyped
    """The error that a stub raises, with the methods that the SDK calls."""

    def __init__(self, code: grpc.StatusCode, details: str) -> None:
        super().__init__(details)
        self._code = code
        self._details = details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def initial_metadata(self) -> Tuple[()]:
        return ()

    trailing_metadata = initial_metadata


class Answer(NamedTuple):
    code: int
    error: str
    message: bytes

    def read(self, response: Type[Any]) -> Any:
        if self.code != 0:
            raise EngineRefused(_CODES.get(self.code, grpc.StatusCode.UNKNOWN), self.error)
        return response.FromString(self.message)


#: Makes a call, and answers when there is an answer: (service, method, request, seconds).
Ask = Callable[[str, str, bytes, Optional[float]], Answer]


class BlockingCalls:
    """Calls that their thread waits for. Any thread: each has a line of its own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lines = threading.local()

    def __call__(self, service: str, method: str, request: bytes, timeout: Optional[float] = None) -> Answer:
        line: Optional["_kingpost.DirectLine"] = getattr(self._lines, "line", None)
        if line is None:
            line = self._lines.line = _kingpost.DirectLine(self._address)
        number = line.begin(service, method, request)
        poll = select.poll()
        poll.register(line.descriptor, select.POLLIN)
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if end is None else max(end - time.monotonic(), 0) * 1000
            if not poll.poll(left):
                return Answer(grpc.StatusCode.DEADLINE_EXCEEDED.value[0], "Deadline Exceeded", b"")
            for arrived, code, error, message in line.take():
                if arrived == number:  # (an earlier one may have been given up)
                    return Answer(code, error, message)


# --- stubs ----------------------------------------------------------------------------------------


def _methods(service: Any) -> List[Tuple[str, Type[Any]]]:
    """Names and classes of responses, as the installed SDK has them."""
    return [(method.name, method.output_type._concrete_class) for method in service.methods]


class _Stub:
    def __init__(self, ask: Ask, service: str, methods: List[Tuple[str, Type[Any]]]) -> None:
        for name, response in methods:
            setattr(self, name, _method(ask, service, name, response))


def _method(ask: Ask, service: str, name: str, response: Type[Any]) -> Callable[..., Any]:
    def call(request: Any, timeout: Optional[float] = None, **_: Any) -> Any:
        return ask(service, name, request.SerializeToString(), timeout).read(response)

    return call


def monitor(ask: Ask) -> Any:
    """In the place of a ``ResourceMonitorStub``."""
    return _Stub(ask, "monitor", _methods(resource_pb2.DESCRIPTOR.services_by_name["ResourceMonitor"]))


def engine(ask: Ask) -> Any:
    """In the place of an ``EngineStub``."""
    return _Stub(ask, "engine", _methods(engine_pb2.DESCRIPTOR.services_by_name["Engine"]))
