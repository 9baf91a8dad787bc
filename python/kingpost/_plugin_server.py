# SPDX-License-Identifier: Apache-2.0
"""The process of a plugin of any kind: a port on this machine, printed on standard output; failures in the form that an
engine reads; messages in the engine's log."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Optional, Sequence, Tuple

import grpc
import grpc.aio
from google.protobuf import any_pb2, empty_pb2

from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, plugin_pb2, provider_pb2, status_pb2

from ._callback import GRACE_SECONDS, for_wire, is_a, told, trace_of
from ._wire import to_struct
from .accelerate.channels import NO_RETRIES
from .errors import AwaitFailed, InitializationFailed

_MAX_MESSAGE = 400 * 1024 * 1024
_OPTIONS = [("grpc.max_receive_message_length", _MAX_MESSAGE), ("grpc.max_send_message_length", _MAX_MESSAGE)]
_MAX_THREADS = 64


class PluginServicer:
    """The part of a plugin that all kinds have."""

    def __init__(self, version: str, engine_address: str) -> None:
        self._version = version
        self._engine_address = engine_address
        self._engine: Optional[Any] = None
        self._threads = ThreadPoolExecutor(_MAX_THREADS, "kingpost-callback")

    async def GetPluginInfo(self, request: Any, context: Any) -> Any:
        return plugin_pb2.PluginInfo(version=self._version)

    async def Attach(self, request: Any, context: Any) -> Any:
        self._engine_address = request.address
        return empty_pb2.Empty()

    async def called(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Coroutine functions here, others on a thread."""
        if inspect.iscoroutinefunction(function):
            return await function(*arguments)
        context = contextvars.copy_context()

        def call() -> Tuple[Any, Optional[BaseException]]:
            return context.run(_outcome, function, *arguments)

        result, error = await asyncio.get_running_loop().run_in_executor(self._threads, call)
        if error is not None:
            raise error
        return await result if inspect.isawaitable(result) else result

    async def fail(self, context: Any, error: BaseException, urn: str = "") -> None:
        """Ends the call with the exception's text. Its traceback goes to the engine's log, for those who debug."""
        await self.log(trace_of(error), urn, engine_pb2.DEBUG)
        code = grpc.StatusCode.UNIMPLEMENTED if is_a(error, NotImplementedError) else grpc.StatusCode.UNKNOWN
        text = told(error)
        metadata: Tuple[Tuple[str, bytes], ...] = ()
        try:
            detail = _detail_of(error)
        except BaseException as wrong:  # noqa: BLE001 - of an attribute that is not what it should be
            detail, text = None, f"{text}; {told(wrong)}"
        if detail is not None:
            status = status_pb2.Status(code=code.value[0], message=for_wire(text))
            status.details.add().CopyFrom(detail)
            metadata = (("grpc-status-details-bin", status.SerializeToString()),)
        await context.abort(code, for_wire(text), metadata)

    async def log(self, text: str, urn: str, severity: Any) -> None:
        if not self._engine_address:
            return
        try:
            if self._engine is None:
                channel = grpc.aio.insecure_channel(self._engine_address, options=[*_OPTIONS, NO_RETRIES])
                self._engine = engine_pb2_grpc.EngineStub(channel)
            await self._engine.Log(engine_pb2.LogRequest(severity=severity, message=text, urn=urn))
        except grpc.RpcError:
            pass  # the failure itself is told all the same


def _outcome(function: Callable[..., Any], *arguments: Any) -> Tuple[Any, Optional[BaseException]]:
    """Calls the function and returns its error as a value: a future refuses a StopIteration, and its caller would hang."""
    try:
        return function(*arguments), None
    except BaseException as error:  # noqa: BLE001
        return None, error


#: The reference's SDK has no class for it before 3.272; it has no fields.
_AWAIT_FAILED = "type.googleapis.com/pulumirpc.ErrorResourceAwaitFailed"


def _detail_of(error: BaseException) -> Optional[any_pb2.Any]:
    """Details for the engine beside the text."""
    if is_a(error, AwaitFailed):
        return any_pb2.Any(type_url=_AWAIT_FAILED)
    if is_a(error, InitializationFailed):
        assert isinstance(error, InitializationFailed)
        packed = any_pb2.Any()
        packed.Pack(_incomplete(error))
        return packed
    return None


def _incomplete(error: InitializationFailed) -> Any:
    return provider_pb2.ErrorResourceInitFailed(
        id=str(error.id),
        properties=to_struct(error.outputs),
        reasons=list(error.reasons),
        inputs=to_struct(error.inputs) if error.inputs is not None else None,
    )


def engine_address_of(arguments: Sequence[str]) -> str:
    """The one argument that is no flag; "" where nobody started this as a plugin."""
    return next((argument for argument in arguments if not argument.startswith("-")), "")


def run_server(add: Callable[[Any], None]) -> None:
    """Serves until it is told to end, by a signal or by the end of who started it."""
    try:
        asyncio.run(_serve(add))
    except KeyboardInterrupt:
        pass
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # a call that hangs does not keep the process


async def _serve(add: Callable[[Any], None]) -> None:
    server = grpc.aio.server(options=_OPTIONS)
    add(server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Engines start plugins in process groups of their own, so that Ctrl-C in their terminal does not come here. An
    # interrupt means that the engine no longer needs the plugin. What is under way has the grace.
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await ended.wait()
    await server.stop(GRACE_SECONDS)
