# SPDX-License-Identifier: Apache-2.0
"""Components and their methods, constructed in this process by the package ``pulumi``.

Its own servicer turns the engine's messages into inputs and options, and what was constructed back into a message; what
stands between is the user's Provider.
"""

from __future__ import annotations

import inspect
from typing import Any, Dict, Type

from pulumi.errors import InputPropertiesError, InputPropertyError
from pulumi.provider import CallResult, ConstructResult
from pulumi.provider import CheckFailure as SdkCheckFailure
from pulumi.provider.server import ProviderServicer
from pulumi.runtime.proto import provider_pb2

from ._bridge import Message, failure, failures_of
from ._callback import Carried, Causes, clean, is_a
from ._loops import BorrowedLoop
from .errors import InitializationFailed, WrongAnswer
from .messages import CallRequest, CallResponse, ConstructRequest, ConstructResponse
from .provider import Provider

_MAX_THREADS = 64


# The SDK and we know what these say.
_KNOWN = (InputPropertiesError, InputPropertyError, InitializationFailed, NotImplementedError, WrongAnswer)


def raised_by_user(error: BaseException) -> BaseException:
    """Out of our carrier, and out of the SDK's own, of what a constructor raises."""
    kind = type(error)
    if kind.__name__ == "ComponentInitError" and kind.__module__.startswith("pulumi.provider."):
        error = vars(error)["inner"]
    return vars(error)["error"] if is_a(error, Carried) else error


def _carried(raised: BaseException) -> BaseException:
    error = raised_by_user(raised)
    return error if is_a(error, *_KNOWN) else Carried(error)


class _SdkProvider:
    """The requests of the SDK's servicer, as requests of ours. The answers may be coroutines; see ComponentServicer."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def construct(self, name: str, resource_type: str, inputs: Dict[str, Any], options: Any) -> Any:
        try:
            return self._provider.construct(ConstructRequest(resource_type, name, inputs, options))
        except BaseException as error:  # noqa: BLE001
            raise _carried(error) from None

    def call(self, token: str, args: Dict[str, Any]) -> Any:
        try:
            return self._provider.call(CallRequest(token, args))
        except BaseException as error:  # noqa: BLE001
            raise _carried(error) from None


class ComponentServicer(ProviderServicer):
    def __init__(self, provider: Provider, engine_address: str) -> None:
        self.provider = _SdkProvider(provider)  # type: ignore[assignment]
        self.engine_address = engine_address
        self.args = []
        self._label = type(provider).__name__

    async def _construct_response(self, result: Any) -> Any:
        response = await self._awaited("construct", result, ConstructResponse)
        return await super()._construct_response(ConstructResult(response.urn, response.outputs))

    async def _call_response(self, result: Any) -> Any:
        response = await self._awaited("call", result, CallResponse)
        failures = [SdkCheckFailure(name, reason) for name, reason in failures_of(response.failures)]
        return await super()._call_response(CallResult(response.result, failures))

    async def _awaited(self, method: str, result: Any, expected: Type[Any]) -> Any:
        if inspect.isawaitable(result):
            try:
                result = await result
            except BaseException as error:  # noqa: BLE001
                raise _carried(error) from None
        if isinstance(result, expected):
            return result
        raise WrongAnswer(
            f"{self._label}.{method} must return a kingpost.{expected.__name__}, not {type(result).__name__}"
        )


def text_of_properties(error: InputPropertiesError) -> str:
    lines = [f"property {item['property_path']} with value {item['reason']}" for item in error.errors or ()]
    return "; ".join([error.message, *lines] if error.message else lines)


def answer_component(provider: Provider, method: str, fields: Message, debug: bool, causes: Causes) -> Message:
    """For a thread of its own, whose context the SDK's settings are kept in."""
    servicer = ComponentServicer(provider, fields["engine_address"])
    if method == "construct":
        work = servicer._construct(provider_pb2.ConstructRequest.FromString(fields["message"]), None)
    else:
        work = servicer._call(provider_pb2.CallRequest.FromString(fields["message"]), None)
    try:
        with BorrowedLoop(_MAX_THREADS) as loop:
            return {"message": loop.run(work).SerializeToString()}
    except InputPropertiesError as error:
        return {"error": clean(text_of_properties(error))}
    except InputPropertyError as error:  # as the SDK finds it
        return {"error": clean(str(error.reason))}
    except BaseException as raised:  # noqa: BLE001 - whatever the user's code raises is the component's failure
        inner = raised_by_user(raised)
        causes.note(inner, "provider")
        return failure(inner, debug)
