# SPDX-License-Identifier: Apache-2.0
"""A provider for tests: `things:index:Thing` is a file under things/ in the project folder.

It speaks the provider protocol directly, so that a test decides what the engine gets.

    inputs    value          a change is an update
              key            a change is a replacement
              deleteFirst    replacements delete before they create
              fail           the operation that fails with an error ("create", "update", "delete")
    outputs   the inputs, and stamp, "ID/value", known only after the operation

Every operation that took place is a line in things/log, written and synced before the engine gets its answer. The provider
counts IDs by name (things/NAME.count), so two engines that take the same steps get the same IDs.

    THINGS_DELAY_MS=N                  each change takes so much longer
    THINGS_AWAIT="create:A update:B"   these operations are not done, because the thing waits for something
    THINGS_FLAKY="create:A"            these fail until the file things/flaky-NAME exists
    THINGS_DIE="create:A"              the process dies in this operation; "configure:REGION", too
    THINGS_TELL="create:A"             this operation fails with an error that spells all inputs out
    THINGS_NAMELESS=A                  this thing gets no ID
    THINGS_ENDLESS=A                   this thing gets an ID of two MiB
    THINGS_SILENT=N                    the provider names no port for so many seconds
"""

import json
import os
import sys
import time
from concurrent import futures
from pathlib import Path
from threading import Event, Lock
from types import ModuleType

if os.environ.get("THINGS_SILENT"):  # a plugin that never says where it is, and says so before it does anything
    print("still looking for a port", file=sys.stderr, flush=True)
    time.sleep(float(os.environ["THINGS_SILENT"]))

import grpc
from google.protobuf import any_pb2, empty_pb2, json_format, struct_pb2

# Imports only the SDK's messages: half of the time to start, and tests start this thousands of times.
for package in ("pulumi", "pulumi.runtime"):
    sys.modules[package] = ModuleType(package)
    sys.modules[package].__path__ = [str(Path(grpc.__file__).parents[1].joinpath(*package.split(".")))]
from pulumi.runtime.proto import plugin_pb2, provider_pb2 as pb, provider_pb2_grpc, status_pb2  # noqa: E402 - needs the lines above

ANY, TEXT = {"$ref": "pulumi.json#/Any"}, {"type": "string"}
INPUTS = {"value": ANY, "key": TEXT, "deleteFirst": {"type": "boolean"}, "fail": TEXT, "parts": {
    "type": "array", "items": {"$ref": "#/types/things:index:Part"}}, "word": TEXT | {"secret": True}}
SCHEMA = {
    "name": "things",
    "types": {"things:index:Part": {"type": "object", "properties": {"partName": TEXT, "size": {"type": "number"}},
                                    "required": ["partName"]}},
    "provider": {"inputProperties": {"region": TEXT}},
    "resources": {"things:index:Thing": {"inputProperties": INPUTS, "properties": INPUTS | {"stamp": TEXT},
                                         "required": ["stamp"]}},
    "functions": {"things:index:greet": {
        "inputs": {"properties": {"greeting": TEXT, "name": TEXT}, "required": ["greeting", "name"]},
        "outputs": {"properties": {"text": TEXT}, "required": ["text"]}}},
}
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SECRET_KEY = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
ROOT = Path("things")
VERSION = Path(__file__).resolve().parent.name.partition("-v")[2] or "1.0.0"
COUNTING = Lock()


def load(struct) -> dict:
    return json_format.MessageToDict(struct)


def dump(props: dict) -> struct_pb2.Struct:
    return json_format.ParseDict(props, struct_pb2.Struct())


def plain(value):
    """The value without its secret wrappers."""
    if isinstance(value, dict):
        return plain(value["value"]) if value.get(SECRET_KEY) == SECRET else {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


class Refused(Exception):
    pass


class Awaits(Refused):
    """Told with a detail that has no fields."""


def log(*words: str) -> None:
    ROOT.mkdir(exist_ok=True)
    with open(ROOT / "log", "a", encoding="utf-8") as file:
        file.write(" ".join(words) + "\n")
        file.flush()
        os.fsync(file.fileno())


def act(operation: str, name: str, props: dict) -> None:
    """The first action of every change: wait, die or fail as the test asked."""
    time.sleep(int(os.environ.get("THINGS_DELAY_MS", "0")) / 1000)
    if os.environ.get("THINGS_DIE") == f"{operation}:{name}":
        os._exit(7)
    if os.environ.get("THINGS_FLAKY") == f"{operation}:{name}" and not (ROOT / f"flaky-{name}").exists():
        log("flaky", operation, name)
        raise Refused(f"{operation} of {name} is flaky")
    if os.environ.get("THINGS_TELL") == f"{operation}:{name}":
        raise Refused(f"cannot {operation} {name} with {json.dumps(props)}")
    if f"{operation}:{name}" in os.environ.get("THINGS_AWAIT", "").split():
        raise Awaits(f"{name} waits")
    if props.get("fail") == operation:
        raise Refused(f"{operation} of {name} was told to fail")


def next_id(name: str) -> str:
    with COUNTING:
        ROOT.mkdir(exist_ok=True)
        counter = ROOT / f"{name}.count"
        number = int(counter.read_text()) + 1 if counter.exists() else 1
        counter.write_text(str(number))
        return f"{name}-{number}"


def outputs(id: str, props: dict) -> dict:
    return {**props, "stamp": f"{id}/{plain(props).get('value')}"}


def save(id: str, props: dict) -> None:
    (ROOT / f"{id}.json").write_text(json.dumps(plain(props), sort_keys=True))


def urn_name(urn: str) -> str:
    return urn.rsplit("::", 1)[1]


class Provider(provider_pb2_grpc.ResourceProviderServicer):
    def __init__(self, stopped: Event):
        self.stopped = stopped

    def Handshake(self, request, context):
        return pb.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True, accept_outputs=False)

    def GetPluginInfo(self, request, context):
        return plugin_pb2.PluginInfo(version=VERSION)

    def GetSchema(self, request, context):
        return pb.GetSchemaResponse(schema=json.dumps(SCHEMA | {"version": VERSION}))

    def GetMapping(self, request, context):
        return pb.GetMappingResponse(provider="things", data=b"{}")

    def CheckConfig(self, request, context):
        return pb.CheckResponse(inputs=request.news)

    def DiffConfig(self, request, context):
        old, new = plain(load(request.olds)), plain(load(request.news))
        keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
        replaces = [k for k in keys if k == "region"]
        return pb.DiffResponse(changes=2 if keys else 1, diffs=keys, replaces=replaces)

    def Configure(self, request, context):
        if os.environ.get("THINGS_DIE") == f"configure:{load(request.args).get('region')}":
            os._exit(7)
        return pb.ConfigureResponse(acceptSecrets=True, supportsPreview=True, acceptResources=True)

    def Check(self, request, context):
        props = load(request.news)
        failures = []
        if plain(props).get("value") == "invalid":
            failures.append(pb.CheckFailure(property="value", reason="this value is not allowed"))
        return pb.CheckResponse(inputs=dump(props), failures=failures)

    def Diff(self, request, context):
        old, new = plain(load(request.old_inputs)), plain(load(request.news))
        ignored = set(request.ignoreChanges)
        keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k) and k not in ignored)
        kinds = pb.PropertyDiff
        detail = {}
        for k in keys:
            kind = "ADD" if k not in old else "DELETE" if k not in new else "UPDATE"
            detail[k] = kinds(kind=getattr(kinds, kind + ("_REPLACE" if k == "key" else "")), inputDiff=True)
        return pb.DiffResponse(
            changes=2 if keys else 1, diffs=keys, replaces=[k for k in keys if k == "key"], hasDetailedDiff=True,
            detailedDiff=detail, deleteBeforeReplace=bool(new.get("deleteFirst")))

    def Create(self, request, context):
        name, props = urn_name(request.urn), load(request.properties)
        if request.preview:
            return pb.CreateResponse(id="", properties=dump({**props, "stamp": UNKNOWN}))
        act("create", name, plain(props))
        if os.environ.get("THINGS_NAMELESS") == name:
            return pb.CreateResponse(id="", properties=dump(props))
        if os.environ.get("THINGS_ENDLESS") == name:
            return pb.CreateResponse(id=name + "x" * (2 << 20), properties=dump(props))
        id = next_id(name)
        save(id, props)
        log("create", id)
        return pb.CreateResponse(id=id, properties=dump(outputs(id, props)))

    def Update(self, request, context):
        name, props = urn_name(request.urn), load(request.news)
        if request.preview:
            return pb.UpdateResponse(properties=dump({**props, "stamp": UNKNOWN}))
        act("update", name, plain(props))
        save(request.id, props)
        log("update", request.id)
        return pb.UpdateResponse(properties=dump(outputs(request.id, props)))

    def Delete(self, request, context):
        act("delete", urn_name(request.urn), plain(load(request.properties)))
        (ROOT / f"{request.id}.json").unlink(missing_ok=True)
        log("delete", request.id)
        return empty_pb2.Empty()

    def Read(self, request, context):
        file = ROOT / f"{request.id}.json"
        if not file.exists():
            return pb.ReadResponse(id="")
        props = json.loads(file.read_text())
        return pb.ReadResponse(id=request.id, inputs=dump(props), properties=dump(outputs(request.id, props)))

    def Invoke(self, request, context):
        args = plain(load(request.args))
        return pb.InvokeResponse(**{"return": dump({"text": f"{args['greeting']}, {args['name']}"})})

    def Cancel(self, request, context):
        self.stopped.set()
        return empty_pb2.Empty()


def refuse(method):
    """Turns Refused into an error of the call."""
    def wrapped(self, request, context):
        try:
            return method(self, request, context)
        except Refused as reason:
            if isinstance(reason, Awaits):
                detail = any_pb2.Any(type_url="type.googleapis.com/pulumirpc.ErrorResourceAwaitFailed")
                status = status_pb2.Status(code=2, message=str(reason), details=[detail])
                context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
            context.abort(grpc.StatusCode.UNKNOWN, str(reason))
    return wrapped


for change in ("Create", "Update", "Delete"):
    setattr(Provider, change, refuse(getattr(Provider, change)))


def main() -> None:
    stopped = Event()
    server = grpc.server(futures.ThreadPoolExecutor(16))
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(Provider(stopped), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
