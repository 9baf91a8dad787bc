# SPDX-License-Identifier: Apache-2.0
"""A kingpost.Provider as a plugin: the service ResourceProvider on one side, requests and responses on the other."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple

from google.protobuf import empty_pb2
from pulumi.errors import InputPropertiesError
from pulumi.runtime.proto import engine_pb2, provider_pb2, provider_pb2_grpc

from ._bridge import METHODS, Message, described, raised_by_class, request_of
from ._callback import is_a, told
from ._components import ComponentServicer, raised_by_user, text_of_properties
from ._plugin_server import PluginServicer
from ._views import view_fields
from ._wire import from_struct, to_struct
from .errors import InitializationFailed, WrongAnswer
from .provider import Provider
from .resources import Incomplete

_KINDS = {
    "add": provider_pb2.PropertyDiff.ADD,
    "add-replace": provider_pb2.PropertyDiff.ADD_REPLACE,
    "delete": provider_pb2.PropertyDiff.DELETE,
    "delete-replace": provider_pb2.PropertyDiff.DELETE_REPLACE,
    "update": provider_pb2.PropertyDiff.UPDATE,
    "update-replace": provider_pb2.PropertyDiff.UPDATE_REPLACE,
}


def _identity(request: Any) -> Dict[str, Any]:
    """Older engines send the URN alone."""
    parts = request.urn.split("::", 3)
    type_, name = (parts[2].rsplit("$", 1)[-1], parts[3]) if len(parts) == 4 else ("", "")
    return {"urn": request.urn, "type": request.type or type_, "name": request.name or name}


def _timeout(request: Any) -> Optional[float]:
    return getattr(request, "timeout", 0) or None  # older SDKs know none of a read


def _old_outputs(request: Any) -> Dict[str, Any]:
    outputs = getattr(request, "old_outputs", None)  # older SDKs know none of a check
    return {} if outputs is None else from_struct(outputs)


def _failures(pairs: List[Tuple[str, str]]) -> List[Any]:
    return [provider_pb2.CheckFailure(property=name, reason=reason) for name, reason in pairs]


def _diff_message(answer: Message) -> Any:
    kinds = {None: "DIFF_UNKNOWN", True: "DIFF_SOME", False: "DIFF_NONE"}
    detailed = {}
    for path, (kind, input_diff) in (answer["detailed"] or {}).items():
        if kind not in _KINDS:
            raise ValueError(f'diff: "{kind}" is not a kind of change; use {", ".join(sorted(_KINDS))}')
        detailed[path] = provider_pb2.PropertyDiff(kind=_KINDS[kind], inputDiff=input_diff)
    return provider_pb2.DiffResponse(
        changes=provider_pb2.DiffResponse.DiffChanges.Value(kinds[answer["changes"]]),
        replaces=answer["replaces"],
        stables=answer["stables"],
        diffs=answer["diffs"],
        deleteBeforeReplace=answer["delete_before_replace"],
        detailedDiff=detailed,
        hasDetailedDiff=answer["detailed"] is not None,
    )


class ProviderServicer(PluginServicer, provider_pb2_grpc.ResourceProviderServicer):
    def __init__(self, provider: Provider, engine_address: str) -> None:
        super().__init__(provider.version or "0.0.0", engine_address)
        self._provider = provider

    async def _ask(self, name: str, context: Any, urn: str = "", /, **fields: Any) -> Message:
        method = METHODS[name]
        try:
            request = None if method.request is None else request_of(method, fields)
            arguments = () if request is None else (request,)
            response = await self.called(getattr(self._provider, name), *arguments)
            return described(self._provider, name, response, request)
        except BaseException as error:
            if name == "create" and is_a(error, WrongAnswer) and is_a(raised_by_class(error), Incomplete):
                # Engines record a pending operation for this, but do not show its text.
                await self.log(told(error), urn, engine_pb2.ERROR)
                await self.fail(context, InitializationFailed("", {}, [told(error)]), urn)
            await self.fail(context, error, urn)
            raise  # what fail() does not do

    # --- the package ------------------------------------------------------------------------------

    async def Handshake(self, request: Any, context: Any) -> Any:
        self._engine_address = request.engine_address or self._engine_address
        return provider_pb2.ProviderHandshakeResponse(
            accept_secrets=True, accept_resources=True, accept_outputs=True, supports_autonaming_configuration=True
        )

    async def Parameterize(self, request: Any, context: Any) -> Any:
        value = request.value
        if request.WhichOneof("parameters") == "args":
            answer = await self._ask("parameterize", context, args=list(request.args.args))
        else:
            answer = await self._ask("parameterize", context, name=value.name, version=value.version, value=value.value)
        return provider_pb2.ParameterizeResponse(name=answer["name"], version=answer["version"])

    async def GetSchema(self, request: Any, context: Any) -> Any:
        answer = await self._ask(
            "get_schema",
            context,
            version=request.version,
            subpackage_name=request.subpackage_name,
            subpackage_version=request.subpackage_version,
        )
        return provider_pb2.GetSchemaResponse(schema=answer["schema"])

    async def GetMapping(self, request: Any, context: Any) -> Any:
        if "get_mapping" not in self._provider._offers():
            return provider_pb2.GetMappingResponse()
        answer = await self._ask("get_mapping", context, key=request.key, provider=request.provider)
        return provider_pb2.GetMappingResponse(provider=answer["provider"], data=answer["data"])

    async def GetMappings(self, request: Any, context: Any) -> Any:
        return provider_pb2.GetMappingsResponse(providers=[])

    async def CheckConfig(self, request: Any, context: Any) -> Any:
        return await self._check("check_config", request, context)

    async def DiffConfig(self, request: Any, context: Any) -> Any:
        return await self._diff("diff_config", request, context)

    async def Configure(self, request: Any, context: Any) -> Any:
        inputs = from_struct(request.args) if request.HasField("args") else _variables(dict(request.variables))
        await self._ask(
            "configure",
            context,
            request.urn,
            inputs=inputs,
            id=request.id,
            **_identity(request),
        )
        return provider_pb2.ConfigureResponse(
            acceptSecrets=True,
            supportsPreview=True,
            acceptResources=True,
            acceptOutputs=True,
            supports_autonaming_configuration=True,
        )

    async def Cancel(self, request: Any, context: Any) -> Any:
        await self._ask("cancel", context)
        return empty_pb2.Empty()

    # --- resources --------------------------------------------------------------------------------

    async def Check(self, request: Any, context: Any) -> Any:
        return await self._check("check", request, context)

    async def Diff(self, request: Any, context: Any) -> Any:
        return await self._diff("diff", request, context)

    async def _check(self, name: str, request: Any, context: Any) -> Any:
        proposed = request.autonaming.proposed_name if request.HasField("autonaming") else None
        answer = await self._ask(
            name,
            context,
            request.urn,
            old_inputs=from_struct(request.olds),
            old_outputs=_old_outputs(request),
            new_inputs=from_struct(request.news),
            random_seed=request.randomSeed,
            proposed_name=proposed,
            **_identity(request),
        )
        return provider_pb2.CheckResponse(inputs=to_struct(answer["inputs"]), failures=_failures(answer["failures"]))

    async def _diff(self, name: str, request: Any, context: Any) -> Any:
        answer = await self._ask(
            name,
            context,
            request.urn,
            id=request.id,
            old_inputs=from_struct(request.old_inputs),
            old_outputs=from_struct(request.olds),
            new_inputs=from_struct(request.news),
            ignore_changes=list(request.ignoreChanges),
            **_identity(request),
        )
        return _diff_message(answer)

    async def Create(self, request: Any, context: Any) -> Any:
        answer = await self._ask(
            "create",
            context,
            request.urn,
            inputs=from_struct(request.properties),
            preview=request.preview,
            timeout=_timeout(request),
            **view_fields(request),
            **_identity(request),
        )
        return provider_pb2.CreateResponse(
            id=answer["id"],
            properties=to_struct(answer["outputs"]),
            refresh_before_update=answer["refresh_before_update"],
        )

    async def Read(self, request: Any, context: Any) -> Any:
        answer = await self._ask(
            "read",
            context,
            request.urn,
            id=request.id,
            inputs=from_struct(request.inputs),
            outputs=from_struct(request.properties),
            timeout=_timeout(request),
            **view_fields(request),
            **_identity(request),
        )
        return provider_pb2.ReadResponse(
            id=answer["id"],
            properties=to_struct(answer["outputs"]) if answer["outputs"] is not None else None,
            inputs=to_struct(answer["inputs"]) if answer["inputs"] is not None else None,
            refresh_before_update=answer["refresh_before_update"],
        )

    async def Update(self, request: Any, context: Any) -> Any:
        answer = await self._ask(
            "update",
            context,
            request.urn,
            id=request.id,
            old_inputs=from_struct(request.old_inputs),
            old_outputs=from_struct(request.olds),
            new_inputs=from_struct(request.news),
            ignore_changes=list(request.ignoreChanges),
            preview=request.preview,
            timeout=_timeout(request),
            **view_fields(request),
            **_identity(request),
        )
        return provider_pb2.UpdateResponse(
            properties=to_struct(answer["outputs"]), refresh_before_update=answer["refresh_before_update"]
        )

    async def Delete(self, request: Any, context: Any) -> Any:
        await self._ask(
            "delete",
            context,
            request.urn,
            id=request.id,
            inputs=from_struct(request.old_inputs),
            outputs=from_struct(request.properties),
            timeout=_timeout(request),
            **view_fields(request),
            **_identity(request),
        )
        return empty_pb2.Empty()

    # --- components and functions -----------------------------------------------------------------

    async def Construct(self, request: Any, context: Any) -> Any:
        return await self._component("_construct", request, context)

    async def Call(self, request: Any, context: Any) -> Any:
        return await self._component("_call", request, context)

    async def _component(self, method: str, request: Any, context: Any) -> Any:
        servicer = ComponentServicer(self._provider, self._engine_address)
        try:
            return await getattr(servicer, method)(request, context)
        except InputPropertiesError as error:
            await self.fail(context, ValueError(text_of_properties(error)))
        except BaseException as error:  # noqa: BLE001 - as of _ask
            await self.fail(context, raised_by_user(error))

    async def Invoke(self, request: Any, context: Any) -> Any:
        preview = getattr(request, "preview", False)  # older SDKs do not know it
        answer = await self._ask(
            "invoke", context, token=request.tok, args=from_struct(request.args), preview=preview
        )
        message = provider_pb2.InvokeResponse(failures=_failures(answer["failures"]))
        getattr(message, "return").CopyFrom(to_struct(answer["result"]))
        return message


def _variables(variables: Dict[str, str]) -> Dict[str, Any]:
    """The configuration as engines without ``args`` send it: "package:config:key" -> text, often JSON."""

    def value_of(text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return text

    return {key.rsplit(":", 1)[-1]: value_of(text) for key, text in variables.items()}
