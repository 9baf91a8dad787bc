# SPDX-License-Identifier: Apache-2.0
"""A provider in the test's own process. A dictionary holds the things that exist, and a log the calls of engines.

    with World() as world:
        env = {"PULUMI_DEBUG_PROVIDERS": f"things:{world.port}"}

Types: `things:index:Thing` answers with detailed diffs, `Plain` with names of properties only, `Silent` lets the engine
compare. A change of the input `key` is a replacement, with `deleteFirst` one that deletes first. The output `stamp`
is "ID/value". IDs are counted by name, so that two engines that take the same steps get the same IDs.

`things:index:Group` is a remote component with two things in it, NAME-0 and NAME-1, that have its `value`.
"""

from __future__ import annotations

import copy
import json
from concurrent import futures
from dataclasses import dataclass, field
from threading import Lock

import grpc
from google.protobuf import any_pb2, empty_pb2, json_format, struct_pb2
from pulumi.runtime.proto import (
    plugin_pb2, provider_pb2 as pb, provider_pb2_grpc, resource_pb2 as rpb, resource_pb2_grpc, status_pb2)

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SECRET_KEY = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
FOUND = {f"found-{n}": {"value": f"found {n}"} for n in (1, 2)}


@dataclass
class Fault:
    """One operation that fails; a partial one has happened, and leaves an incomplete resource."""

    operation: str
    name: str
    partial: bool = False


@dataclass
class Things:
    """The part of a world that can be copied to another. Secrets stay secrets in answers."""

    existing: dict[str, dict] = field(default_factory=lambda: copy.deepcopy(FOUND))
    counts: dict[str, int] = field(default_factory=dict)


def load(struct) -> dict:
    return json_format.MessageToDict(struct)


def dump(props: dict) -> struct_pb2.Struct:
    return json_format.ParseDict(props, struct_pb2.Struct())


def plain(value):
    """The value without its secret wrappers."""
    if isinstance(value, dict):
        return plain(value["value"]) if value.get(SECRET_KEY) == SECRET else {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def name_of(urn: str) -> str:
    return urn.rsplit("::", 1)[1]


class World(provider_pb2_grpc.ResourceProviderServicer):
    def __init__(self):
        self.things = Things()
        self.fault: Fault | None = None
        self.calls: dict[str, list[tuple[str, str]]] = {}  # URN → (ID, call)
        self._lock = Lock()

    def __enter__(self) -> "World":
        self._server = grpc.server(futures.ThreadPoolExecutor(16))
        provider_pb2_grpc.add_ResourceProviderServicer_to_server(self, self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.stop(0)

    def take_calls(self) -> dict[str, list[tuple[str, str]]]:
        with self._lock:
            calls, self.calls = self.calls, {}
        return calls

    def _note(self, call: str, request) -> None:
        """Logs the call with all that the engine sent, except addresses and values that differ between runs."""
        words = json_format.MessageToDict(request)
        for volatile in ("resourceStatusAddress", "resourceStatusToken", "randomSeed", "urn", "name", "type"):
            words.pop(volatile, None)
        with self._lock:
            text = f"{call} {json.dumps(words, sort_keys=True)}"
            self.calls.setdefault(request.urn, []).append((words.get("id", ""), text))

    def _fails(self, operation: str, request) -> bool:
        fault = self.fault
        return fault is not None and fault.operation == operation and fault.name == name_of(request.urn)

    def _refuse(self, context, operation: str, request) -> None:
        if self._fails(operation, request) and not self.fault.partial:
            context.abort(grpc.StatusCode.UNKNOWN, f"{operation} of {name_of(request.urn)} was told to fail")

    def _finish(self, context, operation: str, request, id: str, inputs: dict, outputs: dict) -> None:
        """Ends a partial operation with the error that carries what has happened."""
        if not self._fails(operation, request):
            return
        detail = any_pb2.Any()
        detail.Pack(pb.ErrorResourceInitFailed(
            id=id, properties=dump(outputs), reasons=["it is not ready"], inputs=dump(inputs)), "type.googleapis.com")
        status = status_pb2.Status(code=2, message=f"{operation} of {name_of(request.urn)} did not end", details=[detail])
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(grpc.StatusCode.UNKNOWN, status.message)

    # The protocol.

    def Attach(self, request, context):
        return empty_pb2.Empty()

    def Handshake(self, request, context):
        return pb.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True, accept_outputs=False)

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version="1.0.0")

    def GetSchema(self, request, context):
        return pb.GetSchemaResponse(schema=json.dumps({"name": "things", "version": "1.0.0"}))

    def CheckConfig(self, request, context):
        self._note("check config", request)
        return pb.CheckResponse(inputs=request.news)

    def DiffConfig(self, request, context):
        self._note("diff config", request)
        old, new = plain(load(request.olds)), plain(load(request.news))
        keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
        return pb.DiffResponse(changes=2 if keys else 1, diffs=keys, replaces=[k for k in keys if k == "region"])

    def Configure(self, request, context):
        return pb.ConfigureResponse(acceptSecrets=True, supportsPreview=True, acceptResources=True)

    def Check(self, request, context):
        self._note("check", request)
        failures = []
        if self._fails("check", request):
            failures.append(pb.CheckFailure(property="value", reason="this value is not allowed"))
        return pb.CheckResponse(inputs=request.news, failures=failures)

    def Diff(self, request, context):
        self._note("diff", request)
        self._refuse(context, "diff", request)
        kind = request.urn.split("::")[2].rsplit("$", 1)[-1].rsplit(":", 1)[1]
        if kind == "Silent":
            return pb.DiffResponse()
        old, new = plain(load(request.old_inputs)), plain(load(request.news))
        keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
        replaces = [k for k in keys if k == "key"]
        answer = pb.DiffResponse(changes=2 if keys else 1, diffs=keys, replaces=replaces,
                                 deleteBeforeReplace=bool(new.get("deleteFirst")))
        if kind == "Thing":
            answer.hasDetailedDiff = True
            for k in keys:
                change = "ADD" if k not in old else "DELETE" if k not in new else "UPDATE"
                change += "_REPLACE" if k in replaces else ""
                answer.detailedDiff[k].CopyFrom(pb.PropertyDiff(kind=change, inputDiff=True))
        return answer

    def Create(self, request, context):
        self._note("create", request)
        self._refuse(context, "create", request)
        name, props = name_of(request.urn), load(request.properties)
        if request.preview:
            return pb.CreateResponse(id="", properties=dump({**props, "stamp": UNKNOWN}))
        with self._lock:
            self.things.counts[name] = self.things.counts.get(name, 0) + 1
            id = f"{name}-{self.things.counts[name]}"
            self.things.existing[id] = props
        made = self._outputs(id, props)
        self._finish(context, "create", request, id, props, made)
        return pb.CreateResponse(id=id, properties=dump(made))

    def Update(self, request, context):
        self._note("update", request)
        self._refuse(context, "update", request)
        props = load(request.news)
        if request.preview:
            return pb.UpdateResponse(properties=dump({**props, "stamp": UNKNOWN}))
        with self._lock:
            self.things.existing[request.id] = props
        made = self._outputs(request.id, props)
        self._finish(context, "update", request, request.id, props, made)
        return pb.UpdateResponse(properties=dump(made))

    def Delete(self, request, context):
        self._note("delete", request)
        self._refuse(context, "delete", request)
        with self._lock:
            self.things.existing.pop(request.id, None)
        return empty_pb2.Empty()

    def Read(self, request, context):
        self._note("read", request)
        self._refuse(context, "read", request)
        with self._lock:
            props = copy.deepcopy(self.things.existing.get(request.id))
        if props is None:
            return pb.ReadResponse(id="")
        made = self._outputs(request.id, props)
        self._finish(context, "read", request, request.id, props, made)
        return pb.ReadResponse(id=request.id, inputs=dump(props), properties=dump(made))

    def Cancel(self, request, context):
        return empty_pb2.Empty()

    def Construct(self, request, context):
        self._note_construct(request)
        if self.fault and self.fault.operation == "construct" and self.fault.name == request.name:
            context.abort(grpc.StatusCode.UNKNOWN, f"construct of {request.name} was told to fail")
        with grpc.insecure_channel(request.monitorEndpoint) as channel:
            try:
                return _construct(resource_pb2_grpc.ResourceMonitorStub(channel), request)
            except grpc.RpcError as error:
                context.abort(grpc.StatusCode.UNKNOWN, error.details())

    def _note_construct(self, request) -> None:
        words = json_format.MessageToDict(request)
        for volatile in ("monitorEndpoint", "stackTraceHandle", "parallel"):
            words.pop(volatile, None)
        for unordered in ("dependencies", "configSecretKeys"):
            words.get(unordered, []).sort()
        for of in words.get("inputDependencies", {}).values():
            of.get("urns", []).sort()
        with self._lock:
            self.calls.setdefault(f"group {request.name}", []).append(("", f"construct {json.dumps(words, sort_keys=True)}"))

    @staticmethod
    def _outputs(id: str, props: dict) -> dict:
        return {**props, "stamp": f"{id}/{json.dumps(plain(props).get('value'), sort_keys=True)}"}


def _construct(monitor, request) -> pb.ConstructResponse:
    """Registers the component with what the program said of it, and its things."""
    known = {name: rpb.RegisterResourceRequest.PropertyDependencies(urns=of.urns)
             for name, of in request.inputDependencies.items()}
    component = monitor.RegisterResource(rpb.RegisterResourceRequest(
        type=request.type, name=request.name, parent=request.parent, object=struct_pb2.Struct(), acceptSecrets=True,
        acceptResources=True, protect=request.protect, dependencies=request.dependencies, providers=request.providers,
        aliasURNs=request.aliases, deletedWith=request.deletedWith, retainOnDelete=request.retainOnDelete,
        supportsResultReporting=True))
    value = request.inputs.fields["value"]
    of_value = known.get("value") or rpb.RegisterResourceRequest.PropertyDependencies()
    children = []
    for number in range(2):
        inputs = struct_pb2.Struct(fields={"value": value})
        children.append(monitor.RegisterResource(rpb.RegisterResourceRequest(
            type="things:index:Thing", name=f"{request.name}-{number}", custom=True, parent=component.urn, object=inputs,
            acceptSecrets=True, acceptResources=True, dependencies=of_value.urns, propertyDependencies={"value": of_value},
            supportsResultReporting=True)))
    state = struct_pb2.Struct(fields={"value": value, "stamp": children[-1].object.fields["stamp"]})
    monitor.RegisterResourceOutputs(rpb.RegisterResourceOutputsRequest(urn=component.urn, outputs=state))
    dependencies = {"stamp": pb.ConstructResponse.PropertyDependencies(urns=[children[-1].urn]),
                    "value": pb.ConstructResponse.PropertyDependencies(urns=of_value.urns)}
    return pb.ConstructResponse(urn=component.urn, state=state, stateDependencies=dependencies)
